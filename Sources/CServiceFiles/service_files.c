#include "CServiceFiles.h"

/* What C23 has since, compilers know for longer. */
#pragma clang diagnostic ignored "-Wc23-extensions"

static const char openapi[] = {
#embed "openapi.json"
    , 0
};

const char *daed_openapi_document(void) { return openapi; }
