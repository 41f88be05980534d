/** PNG files of every kind, as the product writes them: for tests of features that may not know labelling. */
export { pngBytes } from '../src/features/labelling/formats/png.ts'
