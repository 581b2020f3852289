/** The module. */
@Deprecated
open module com.example.app {
    requires transitive java.sql;
    exports com.example.api to com.example.other;
    provides Service with Impl;
}
