#ifndef DAEDALUS_CLIBXML2_SHIM_H
#define DAEDALUS_CLIBXML2_SHIM_H
#include <iconv.h>
#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlschemas.h>

/// Receives the parser's user data and the error. (The library's own type gained its const in 2.12.)
typedef void (*daedalus_xml_error_handler)(void *context, const xmlError *error);

static inline void daedalus_xml_set_error_handler(xmlParserCtxtPtr parser, daedalus_xml_error_handler handler) {
    parser->sax->serror = (xmlStructuredErrorFunc)handler;
}

static inline void daedalus_xsd_set_loading_handler(
    xmlSchemaParserCtxtPtr loading, daedalus_xml_error_handler handler, void *context) {
    xmlSchemaSetParserStructuredErrors(loading, (xmlStructuredErrorFunc)handler, context);
}

static inline void daedalus_xsd_set_error_handler(
    xmlSchemaValidCtxtPtr run, daedalus_xml_error_handler handler, void *context) {
    xmlSchemaSetValidStructuredErrors(run, (xmlStructuredErrorFunc)handler, context);
}
#endif
