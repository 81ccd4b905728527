// A sentence that names the winner, as in backends/scene.
export function verdict(players: string[], outcome: string[]): string {
  const goals = outcome.map(scoreNumber);
  if (players.length === 0 || goals.length !== players.length || goals.some(Number.isNaN)) return '';
  if (players.length === 1) return `${players[0]} gets ${outcome[0]}.`;
  const best = Math.max(...goals);
  const winners = players.filter((_, i) => goals[i] === best);
  if (winners.length === players.length) return 'It is a draw.';
  return winners.length === 1 ? `${winners[0]} wins.` : `${winners.join(' and ')} share the first place.`;
}

// The number that a score denotes, NaN for another name: digits, also of an element with one number, as S__3.
export function scoreNumber(score: string): number {
  return /^([A-Za-z]((?!__).)*__)?[0-9]+$/.test(score) ? Number(score.slice(score.lastIndexOf('_') + 1)) : NaN;
}
