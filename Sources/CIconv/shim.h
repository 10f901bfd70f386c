#pragma once
// glibc's iconv, which the Glibc module leaves out.
#include <iconv.h>
