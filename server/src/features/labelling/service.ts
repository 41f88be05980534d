/** What features to the right may ask of labelling. */
export { type LabelHistory, labelHistory } from './history.ts'
