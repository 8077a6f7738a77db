#ifndef DAEDALUS_CLIBZIP_SHIM_H
#define DAEDALUS_CLIBZIP_SHIM_H
#include <zip.h>
#endif
