import styles from './inspector.module.css'

type Props = { title: string; kind: string; help: string }

/** What is being looked at, and what it does. */
export function InspectorHead({ title, kind, help }: Props) {
  return (
    <header className={styles.head}>
      <div className={styles.titles}>
        <h2>{title}</h2>
        <span className={styles.kind}>{kind}</span>
      </div>
      {help === '' ? null : <p className={styles.help}>{help}</p>}
    </header>
  )
}
