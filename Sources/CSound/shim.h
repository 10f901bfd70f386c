#pragma once
#include <sndfile.h>
#include <samplerate.h>
