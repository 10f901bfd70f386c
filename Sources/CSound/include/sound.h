// libsamplerate; and libsndfile, loaded while sound files that are not plain WAV are read.
#pragma once
#include "late_library.h"

/// What of it is called.
#define SOUND_FUNCTIONS(F) \
    F(sf_close) F(sf_open_virtual) F(sf_readf_float) F(sf_strerror)

SOUND_FUNCTIONS(LATE_DECLARE)

#include <samplerate.h>
#include <sndfile.h>

/// Loads libsndfile unless it is there. Whoever has used it leaves it again, with no sound file open.
/// @return what is wrong, in words that hold until the thread's next call; NULL where nothing is.
const char *sound_use(void);
void sound_leave(void);

/// Gives its memory back, unless somebody uses it.
void sound_rest(void);
