/** What shows a text with line numbers, colours and marks. */
export type CodeText = {
  value: string
  label: string
  isReadOnly: true
  marks: readonly {
    line: number
    column: null
    endLine: number
    severity: 'warning'
    message: string
  }[]
}
