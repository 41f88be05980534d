import { Article } from '../../features/site/article.tsx'
import { useArticle } from '../../features/site/article-text.ts'

export function About() {
  return <Article text={useArticle('about')} />
}
