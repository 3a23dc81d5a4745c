// Parses a Dockerfile into stages and steps. An unknown instruction is an error.

export interface DockerStep {
  readonly word: string;
  readonly rest: string;
}

export interface DockerStage {
  readonly name: string;
  readonly from: string;
  readonly steps: readonly DockerStep[];
}

const WORDS = new Set(
  'ADD ARG CMD COPY ENTRYPOINT ENV EXPOSE FROM HEALTHCHECK LABEL RUN SHELL STOPSIGNAL USER VOLUME WORKDIR'.split(' '),
);

export function readDockerfile(text: string): {
  readonly arguments: Readonly<Record<string, string>>;
  readonly stages: readonly DockerStage[];
} {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n');
  const provided: Record<string, string> = {};
  const stages: { name: string; from: string; steps: DockerStep[] }[] = [];
  for (const line of lines) {
    const [, word = '', rest = ''] = /^([A-Z]+) (.+)$/.exec(line) ?? [];
    if (!WORDS.has(word)) throw new Error(`not an instruction: ${line}`);
    if (word === 'FROM') {
      const [, from = '', name = ''] = /^(\S+)(?: AS (\S+))?$/.exec(rest) ?? [];
      stages.push({ from, name, steps: [] });
    } else if (stages.length > 0) stages.at(-1)?.steps.push({ word, rest });
    else if (word === 'ARG') provided[rest.split('=')[0] ?? ''] = rest.slice(rest.indexOf('=') + 1);
    else throw new Error(`${word} before the first FROM`);
  }
  return { arguments: provided, stages };
}
