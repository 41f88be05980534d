import { useScrollHints } from '../../ui/hooks/use-scroll-hints.ts'
import styles from './article.module.css'
import { Inline } from './inline.tsx'

/** A table in a page of text; a wide one scrolls by itself, also by keyboard, and fades out where it goes on. */
export function ArticleTable({ head, rows }: { head: string[]; rows: string[][] }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling area must be reachable
    <section ref={useScrollHints()} className={styles.scroll} tabIndex={0} aria-label={head.join(', ')}>
      <table className={styles.table}>
        <thead>
          <tr>
            {head.map((cell) => (
              <th key={cell} scope="col">
                {cell}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([first = '', ...cells]) => (
            <tr key={first}>
              <th scope="row">
                <Inline text={first} />
              </th>
              {cells.map((cell, column) => (
                <td key={head[column + 1]}>
                  <Inline text={cell} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
