/** The pages in every language, light and dark, at every width. */
import '../pages.test.ts'
