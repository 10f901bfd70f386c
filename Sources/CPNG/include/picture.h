// libpng, loaded with the first picture.
#pragma once
#include "late_library.h"

/// What of it is called.
#define PICTURE_FUNCTIONS(F) F(png_image_begin_read_from_memory) F(png_image_finish_read) F(png_image_free)

PICTURE_FUNCTIONS(LATE_DECLARE)

#include <stdio.h>
#include <png.h>

/// Loads the library unless it is there.
/// @return what is wrong, in words that hold until the thread's next call; NULL where nothing is.
const char *picture_load(void);
