#ifndef DAEDALUS_CSERVICEFILES_H
#define DAEDALUS_CSERVICEFILES_H

#include <stddef.h>

/* Files that the service serves as they are. They are part of the program, so that it has no folder to look for. */

/* The description of the HTTP API by OpenAPI 3.1: JSON in UTF-8 that ends with a null byte. */
const char *daed_openapi_document(void);

/* A file of the page. */
typedef struct {
    const char *name;
    const char *bytes;
    size_t count;
} daed_page_file;

/* All files of the page; the last of them has no name. */
const daed_page_file *daed_page_files(void);

#endif
