/** The migrated database that every test file copies. */
export const TEMPLATE = 'template_neuroloom'
