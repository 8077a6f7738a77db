#ifndef DAEDALUS_CLIBCRYPTO_SHIM_H
#define DAEDALUS_CLIBCRYPTO_SHIM_H
#include <openssl/evp.h>
#endif
