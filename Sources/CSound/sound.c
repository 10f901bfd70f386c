#include "sound.h"

LATE_LIBRARY(sound, "libsndfile.so.1", SOUND_FUNCTIONS)

const char *sound_use(void) { return late_use(&late_sound); }

void sound_leave(void) { late_leave(&late_sound); }

void sound_rest(void) { late_rest(&late_sound); }
