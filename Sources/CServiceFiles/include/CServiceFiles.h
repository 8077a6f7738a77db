#ifndef DAEDALUS_CSERVICEFILES_H
#define DAEDALUS_CSERVICEFILES_H

/* Files that the service serves as they are. They are part of the program, so that it has no folder to look for. */

/* The description of the HTTP API by OpenAPI 3.1: JSON in UTF-8 that ends with a null byte. */
const char *daed_openapi_document(void);

#endif
