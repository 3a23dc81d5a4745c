// An answer as an agent receives it: by the function that renders it for MCP, with its tokens.

import type { ReactNode } from 'react';
import { answerMarkdown } from '../../../src/core/answer/cited-markdown.ts';
import { estimateTokens } from '../../../src/core/model/chunk.ts';
import type { SearchAnswer } from '../../api/responses.ts';
import { CopyButton } from '../../components/copy-button.tsx';
import { formatCount } from '../../components/format.ts';
import { PassageScores } from './score-breakdown.tsx';

export interface AgentAnswerProps {
  readonly passages: SearchAnswer['passages'];
  readonly budget: number;
}

export function AgentAnswer({ passages, budget }: AgentAnswerProps): ReactNode {
  const markdown = answerMarkdown(passages);
  return (
    <div className="agent-answer stack">
      <p className="muted small num row">
        <span>
          {formatCount(estimateTokens(markdown))} of {formatCount(budget)} tokens
        </span>
        <CopyButton text={markdown} what="answer" />
      </p>
      <pre className="code" tabIndex={0}>
        {markdown}
      </pre>
      {passages.map(({ chunkId, lines, headings, title, explanation }) =>
        explanation === undefined ? null : (
          <section key={`${chunkId} ${lines.first}`} className="stack">
            <h2 className="label">{headings.at(-1) ?? title}</h2>
            <PassageScores explanation={explanation} />
          </section>
        ),
      )}
    </div>
  );
}
