#include "picture.h"

LATE_LIBRARY(picture, "libpng16.so." LATE_TEXT(PNG_LIBPNG_VER_SONUM), PICTURE_FUNCTIONS)

const char *picture_load(void) { return late_load(&late_picture); }
