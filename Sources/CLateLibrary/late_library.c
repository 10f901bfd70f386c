#include "late_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

// Workers load, too.
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void put(const struct late_function *function, void *place) {
    __atomic_store_n(function->place, place, __ATOMIC_RELEASE);
}

static void put_back(struct late_library *library) {
    for (const struct late_function *f = library->functions; f->name; f++) put(f, library->first);
}

static const char *load(struct late_library *library) {
    if (library->handle) return NULL;
    void *handle = dlopen(library->name, RTLD_NOW | RTLD_LOCAL);
    if (!handle) return dlerror();
    for (const struct late_function *f = library->functions; f->name; f++) {
        void *place = dlsym(handle, f->name);
        if (!place) {
            const char *why = dlerror();
            put_back(library);
            return why;
        }
        put(f, place);
    }
    library->handle = handle;
    return NULL;
}

const char *late_load(struct late_library *library) {
    pthread_mutex_lock(&turn);
    const char *why = load(library);
    pthread_mutex_unlock(&turn);
    return why;
}

void late_load_or_end(struct late_library *library) {
    const char *why = late_load(library);
    if (!why) return;
    fprintf(stderr, "%s\n", why);
    abort();
}

int late_is_loaded(struct late_library *library) {
    pthread_mutex_lock(&turn);
    int is_loaded = library->handle != NULL;
    pthread_mutex_unlock(&turn);
    return is_loaded;
}

const char *late_use(struct late_library *library) {
    pthread_mutex_lock(&turn);
    const char *why = load(library);
    if (!why) library->users++;
    pthread_mutex_unlock(&turn);
    return why;
}

void late_leave(struct late_library *library) {
    pthread_mutex_lock(&turn);
    library->users--;
    pthread_mutex_unlock(&turn);
}

void late_rest(struct late_library *library) {
    pthread_mutex_lock(&turn);
    if (library->handle && library->users == 0) {
        put_back(library);
        dlclose(library->handle);
        library->handle = NULL;
    }
    pthread_mutex_unlock(&turn);
}
