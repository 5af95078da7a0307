// The style of all status pages, light and dark, for all screen sizes. Inline: one request shows the whole page.

export const pageStyle = `
:root{color-scheme:light dark;--text:#1c2430;--faint:#566070;--ground:#fbfbfa;--card:#fff;--line:#dfe3e8;--link:#0b57c2;--ok:#1a7f37;--degraded:#8a6100;--partial:#b4480f;--major:#b3261e;--maintenance:#2459b8;--nodata:#6b7684}
@media (prefers-color-scheme:dark){:root{--text:#e4e8ee;--faint:#9aa5b3;--ground:#14181e;--card:#1b2028;--line:#2f3742;--link:#82b4ff;--ok:#4cc26a;--degraded:#e0b341;--partial:#f0883e;--major:#ff7b72;--maintenance:#82b4ff;--nodata:#7d8896}}
*{box-sizing:border-box}
body{margin:0;background:var(--ground);color:var(--text);font:16px/1.5 system-ui,sans-serif;overflow-wrap:anywhere}
header,main,footer{max-width:54rem;margin:0 auto;padding:0 1.25rem}
header nav a+a{margin-left:1rem}
header{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem;align-items:baseline;padding-top:1.75rem}
header>a{font-weight:600;font-size:1.15rem;color:var(--text);text-decoration:none;margin-right:auto}
a{color:var(--link)}
h1{font-size:1.5rem;line-height:1.3;margin:1.5rem 0 .25rem}
h2{font-size:1.1rem;margin:2.25rem 0 .5rem}
h3,h4,.entry{font-size:1rem;margin:0}
h4,.entry{font-weight:600}
h3 a,h4 a{color:inherit;text-decoration-color:var(--line)}
p{margin:.4rem 0}
ul,ol{margin:0;padding:0;list-style:none}
.faint,figcaption span,.axis,footer{color:var(--faint)}
.skip,.away{position:absolute;left:-99rem}.skip:focus{left:1rem;top:.5rem;background:var(--card);padding:.25rem .75rem}
.overall{display:flex;gap:.75rem;align-items:center;margin:1.25rem 0 0;padding:.9rem 1.1rem;border:1px solid var(--line);border-left:.4rem solid var(--state);border-radius:.5rem;background:var(--card)}
.overall h1{margin:0}.overall .sign{font-size:1.4rem}
.card{border:1px solid var(--line);border-radius:.5rem;background:var(--card);padding:.4rem 1.1rem;margin:.75rem 0}
.card>li,.parts>li{padding:.7rem 0;border-top:1px solid var(--line)}.card>li:first-child{border-top:0}
.group>h3{padding:.5rem 0 .25rem;display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
.head{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem}
.state{color:var(--state);font-weight:600}
.sign{color:var(--state)}
.ok{--state:var(--ok)}.degraded{--state:var(--degraded)}.partial{--state:var(--partial)}.major{--state:var(--major)}.maintenance{--state:var(--maintenance)}.nodata{--state:var(--nodata)}
.bars{display:block;width:100%;height:34px;margin:.4rem 0 .1rem}
.bars path,.bar path{fill:var(--state)}.bars path.maintenance,.bar path.maintenance{fill:none;stroke:var(--state);stroke-width:1.2}
.bars .point{fill:transparent}.bars .point:hover{fill:var(--text);fill-opacity:.15}
.axis{display:flex;justify-content:space-between;align-items:baseline;gap:.5rem;font-size:.85rem;text-align:center}
.axis span:first-child,.axis span:last-child{white-space:nowrap}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1.1rem;font-size:.85rem;color:var(--faint);margin:.5rem 0}
.legend li{display:flex;align-items:center;gap:.4rem}.bar{width:7px;height:24px}
details{font-size:.9rem}summary{color:var(--link);cursor:pointer}
.chart{margin:1rem 0}.chart svg{display:block;width:100%;height:80px}
.chart .line{fill:none;stroke:var(--link);stroke-width:1.5;vector-effect:non-scaling-stroke}.chart .cut{fill:var(--partial)}.chart .grid{stroke:var(--line);vector-effect:non-scaling-stroke}
.incident{border-left:.4rem solid var(--state)}
.story>li{padding:.5rem 0 .5rem 1rem;border-left:2px solid var(--line)}
.story p{margin:.15rem 0}
footer{padding-top:2rem;padding-bottom:2.5rem;font-size:.9rem}
footer ul{display:flex;flex-wrap:wrap;gap:.25rem 1.25rem}
@media (max-width:32rem){.overall h1{font-size:1.2rem}.card{padding:.4rem .8rem}}
`;
