/** What features to the right may use: papers of their own are set like reports. */
export { makePdf } from './pdf/pdf.ts'
