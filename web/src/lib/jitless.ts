/**
 * Tells the schema library not to compile code: import it before any schema. The security policy forbids `eval`, and
 * Firefox reports the library's mere try as an attack. Pages are told by build/first-script.ts; `__zod_globalConfig` is
 * where `z.config` keeps its settings, named here because importing the library would load all of it.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
