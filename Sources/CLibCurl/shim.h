#ifndef DAEDALUS_CLIBCURL_SHIM_H
#define DAEDALUS_CLIBCURL_SHIM_H
#include <curl/curl.h>
#endif
