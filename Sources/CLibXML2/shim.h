#ifndef DAEDALUS_CLIBXML2_SHIM_H
#define DAEDALUS_CLIBXML2_SHIM_H
#include <iconv.h>
#include <libxml/xmlversion.h>
/* Nothing of it is used here, and the system's ICU cannot be named beside the one of Foundation. */
#undef LIBXML_ICU_ENABLED
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlschemas.h>

/// Receives the parser's user data and the error. (The library's own type gained its const in 2.12.)
typedef void (*daedalus_xml_error_handler)(void *context, const xmlError *error);

static inline void daedalus_xml_set_error_handler(xmlParserCtxtPtr parser, daedalus_xml_error_handler handler) {
    parser->sax->serror = (xmlStructuredErrorFunc)handler;
}

/// The library's file, of the version whose structures this header has.
static inline const char *daedalus_xml_file_name(void) {
#ifdef __APPLE__
    return "libxml2.2.dylib";
#else
    return LIBXML_VERSION < 21400 ? "libxml2.so.2" : "libxml2.so.16";
#endif
}
#endif
