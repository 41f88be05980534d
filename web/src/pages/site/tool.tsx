import { Article } from '../../features/site/article.tsx'
import { useArticle } from '../../features/site/article-text.ts'

export function Tool() {
  return <Article text={useArticle('tool')} />
}
