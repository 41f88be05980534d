/** Where the tutorials of all languages are loaded from: apart, since only their own pages show them. */
export const files = import.meta.glob<{ default: object }>('../../locales/*/tutorials/*.json')
