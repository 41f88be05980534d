import type { Report, ReportBlock } from '@neuroloom/contract/reports'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { ScrollRegion } from '../../ui/scroll-region.tsx'
import styles from './report.module.css'

/** One section of a report, its words and figures as the server made them. */
export function ReportSection({ section: { id, title, blocks } }: { section: Report['sections'][number] }) {
  return (
    <section className={styles.section} aria-labelledby={`report-${id}`}>
      <h2 id={`report-${id}`}>{title}</h2>
      {blocks.map((block, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks have no name, and their order never changes.
        <Block key={index} block={block} />
      ))}
    </section>
  )
}

function Block({ block }: { block: ReportBlock }) {
  switch (block.kind) {
    case 'text':
      return (
        <p className={styles.text} {...placeOf(block.anchor)}>
          {block.text}
        </p>
      )
    case 'notes':
      return (
        <ul className={styles.notes}>
          {block.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )
    case 'facts':
      return (
        <dl className={styles.facts}>
          {block.facts.map(({ label, value, anchor }) => (
            <div key={label} {...placeOf(anchor)}>
              <dt>{label}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      )
    case 'table':
      return <ReportTable table={block} />
    case 'checklist':
      return <Checklist list={block} />
    case 'drawings':
      return <Drawings drawings={block.drawings} />
    case 'pictures':
      return <Pictures block={block} />
  }
}

/** Where the checklist leads to. */
const placeOf = (anchor: string | undefined) => (anchor === undefined ? {} : { id: `report-${anchor}` })

function ReportTable({
  table: { caption, head, rows, anchor },
}: {
  table: Extract<ReportBlock, { kind: 'table' }>
}) {
  return (
    <ScrollRegion name={caption} className={styles.scroll}>
      <table className={styles.table} {...placeOf(anchor)}>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...cells]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              {cells.map((cell, index) => (
                <td key={head[index + 1]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** Each item with a way to its answer, or to the question that nobody has answered. */
function Checklist({ list }: { list: Extract<ReportBlock, { kind: 'checklist' }> }) {
  const { t } = useTranslation('reports')
  const { search } = useLocation()
  const asking = (question: string): string => {
    const query = new URLSearchParams(search)
    query.set('ask', question)
    return `?${query}`
  }
  return (
    <>
      <p className={styles.text}>{list.text}</p>
      <table className={styles.table}>
        <caption>{list.caption}</caption>
        <tbody>
          {list.items.map(({ number, name, note, anchor, question }) => (
            <tr key={number}>
              <th scope="row">
                {number}. {name}
              </th>
              <td>
                {anchor ? <a href={`#report-${anchor}`}>{note}</a> : note}
                {question ? (
                  <Link to={asking(question)} className={styles.answer}>
                    {' '}
                    {t('answer')}
                  </Link>
                ) : null}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  )
}

function Drawings({ drawings }: Pick<Extract<ReportBlock, { kind: 'drawings' }>, 'drawings'>) {
  return (
    <div className={styles.drawings}>
      {drawings.map(({ caption, text, svg, width, height }) => (
        <figure key={caption} className={styles.drawing} style={{ maxWidth: Math.min(width, 640) }}>
          <figcaption>{caption}</figcaption>
          {/* As an image nothing in it can run. */}
          <img
            src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
            width={width}
            height={height}
            alt={text}
          />
        </figure>
      ))}
    </div>
  )
}

function Pictures({
  block: { text, pictures, isLarge },
}: {
  block: Extract<ReportBlock, { kind: 'pictures' }>
}) {
  return (
    <>
      <p className={styles.text}>{text}</p>
      <div className={styles.pictures} data-large={isLarge ? '' : undefined}>
        {pictures.map(({ url, heat, name, caption }) => (
          <figure key={url} className={styles.picture}>
            <div className={styles.layers}>
              {/* Few, and not lazy: printed they are there before anybody has scrolled to them. */}
              <img src={url} alt="" />
              {heat ? <img src={heat} alt="" className={styles.over} /> : null}
            </div>
            <figcaption>
              <strong>{name}</strong>
              <span>{caption}</span>
            </figcaption>
          </figure>
        ))}
      </div>
    </>
  )
}
