// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/findings/findingdetail.h"

#include "backend/core/redactedname.h"
#include "backend/findings/findings.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/session.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionhistory.h"
#include "backend/session/sessionstates.h"
#include "backend/text/kindtitles.h"
#include "backend/text/time/duration.h"
#include "widgets/controls/emptystate.h"
#include "widgets/controls/labels/elidedlabel.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/controls/labels/wrappedlabel.h"
#include "widgets/controls/panels/section.h"
#include "widgets/controls/severitystyle.h"
#include "widgets/findings/suggestedfix.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/palettechange.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QClipboard>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QToolButton>

namespace lk {

namespace {

QString withFirstUpper(const QString& text)
{
    return text.left(1).toUpper() + text.mid(1);
}

QWidget* titled(const QString& title, QWidget* body)
{
    auto* section = new Section(title);
    section->setBody(body);
    return section;
}

} // namespace

FindingDetail::FindingDetail(QWidget* parent)
    : DetailFrame(parent)
    , m_name(new ElidedLabel)
    , m_icon(new QLabel)
    , m_word(new QLabel)
    , m_message(wrappedLabel())
    , m_why(wrappedLabel())
    , m_advice(wrappedLabel())
    , m_facts(new FactGrid)
    , m_silencing(new Section(tr("To silence it in the configuration file")))
    , m_toml(wrappedLabel())
    , m_copy(new QToolButton)
    , m_silence(new QToolButton)
    , m_fix(new QPushButton)
    , m_go(new QPushButton(tr("Sho&w")))
    , m_then(new QPushButton(tr("Show when it &began")))
    , m_whyNot(wrappedLabel())
{
    setMinimumWidth(330);
    setObjectName(QStringLiteral("findingDetail"));
    m_name->setFont(monoFont(TextSize::Title));
    nothing()->setText(QStringLiteral("finding"), tr("Nothing selected"),
                       tr("Select a finding to see why it matters and how to fix it."));
    QWidget* page = buildPage();
    build(page, buildBar(), tr("Details"));
    onPaletteChange(this, [this] { updateIcon(); });
}

QWidget* FindingDetail::buildPage()
{
    auto* page = new QWidget;
    auto* head = rowOf(8, {{m_name, 1}, m_icon, m_word});
    auto* silencing = new QWidget;
    m_toml->setFont(monoFont(TextSize::Caption));
    m_toml->setFrameShape(QFrame::StyledPanel);
    m_toml->setMargin(8);
    m_toml->setAccessibleName(tr("Line of the configuration file"));
    auto* ways = columnOf(4, {m_silence, m_copy, BoxStretch{}});
    rowIn(silencing, {}, 8, {{m_toml, 1}, ways});
    m_silence->setText(tr("Silence here…"));
    m_silence->setToolTip(tr("Writes it to the configuration file, after showing it"));
    m_silence->setFocusPolicy(Qt::StrongFocus);
    connect(m_silence, &QToolButton::clicked, this, &FindingDetail::silenceWanted);
    m_copy->setText(tr("Copy"));
    m_copy->setAccessibleName(tr("Copy the line that silences this"));
    m_copy->setToolTip(tr("Silenced findings are counted and not reported"));
    m_copy->setFocusPolicy(Qt::StrongFocus);
    m_silencing->setBody(silencing);
    connect(m_copy, &QToolButton::clicked, this,
            [this] { QApplication::clipboard()->setText(m_toml->text() + QLatin1Char('\n')); });
    auto* top = columnOf(4, {head, m_message});
    columnIn(page, {16, 12, 16, 12}, 12,
             {top, titled(tr("Why it matters"), m_why), titled(tr("Suggested fix"), m_advice),
              m_facts, m_silencing, BoxStretch{}});
    return page;
}

QWidget* FindingDetail::buildBar()
{
    auto* bar = new QWidget;
    auto* row = rowOf(8, {m_fix, m_go, m_then, BoxStretch{}});
    columnIn(bar, {16, 8, 16, 8}, 4, {row, m_whyNot});
    m_whyNot->setFont(uiFont(TextSize::Caption));
    m_whyNot->setForegroundRole(QPalette::PlaceholderText);
    m_fix->setObjectName(QStringLiteral("fix"));
    m_go->setObjectName(QStringLiteral("showObject"));
    connect(m_fix, &QPushButton::clicked, this, &FindingDetail::fixWanted);
    m_then->setObjectName(QStringLiteral("showBeginning"));
    m_then->setToolTip(tr("Shows all boards as they were when this was first seen"));
    connect(m_then, &QPushButton::clicked, this, &FindingDetail::momentWanted);
    connect(m_go, &QPushButton::clicked, this, &FindingDetail::objectWanted);
    return bar;
}

void FindingDetail::show(const LiveFindingPtr& live, const Session* session, bool gone)
{
    m_shown = live;
    m_gone = gone;
    if (!live || !session)
        return showPage(false);
    showHead(*live, gone);
    const Finding& finding = live->finding;
    m_message->setText(finding.message);
    m_why->setText(finding.why);
    m_advice->setText(finding.advice);
    const StatePtr state = live->handle == noHandle ? nullptr : session->states().at(live->handle);
    const Layout* layout = state ? findLayout(state->primitive->id.layout) : nullptr;
    const LiveFindingsPtr all = session->findings().latest();
    const auto ofCode = all ? all->byCode.find(finding.code) : decltype(all->byCode.find({}))();
    const qint64 others = all && ofCode != all->byCode.end() ? ofCode->second - 1 : 0;
    const QString code = QString::fromLatin1(finding.code);
    const qint64 ago = std::max<qint64>(0, session->serverNowMs() - live->sinceMs) / 1000 * 1000;
    std::vector<FactGrid::Row> rows{
        finding.ofServer ? FactGrid::Row{tr("Address"), shownName(finding), true}
                         : FactGrid::Row{tr("Key"), shownKey(finding), true},
        {tr("Layout"),
         layout             ? layout->title()
         : finding.ofServer ? tr("Server")
         : live->boardless  ? tr("The scan itself")
                            : kindPluralTitle(live->kind),
         false},
        {tr("Code"), others > 0 ? tr("%1 (%2 more)").arg(code, QLocale().toString(others)) : code,
         false}};
    // The beginning may be unknown.
    if (live->sinceMs > 0)
        rows.push_back({tr("Open for"), ago > 0 ? formatDuration(ago) : tr("just now"), false});
    m_facts->setRows(std::move(rows));
    const SessionHistory* history = session->live()->history();
    m_then->setVisible(history && history->firstMs() > 0 && live->sinceMs >= history->firstMs());
    // In the past one may have come to where it began.
    m_then->setEnabled(!session->isPast() || session->serverNowMs() > live->sinceMs);
    const QByteArrayList& silenced = session->config().check.silence;
    m_silencing->setTitle(finding.silenced ? tr("Silenced in the configuration file")
                                           : tr("To silence it in the configuration file"));
    m_silence->setVisible(!finding.silenced);
    m_toml->setText(silencingToml(finding.code, silenced));
    showSteps(*live, *session, gone);
    showPage(true);
}

void FindingDetail::showHead(const LiveFinding& live, bool gone)
{
    m_name->setText(shownName(live.finding));
    m_word->setText(gone ? tr("resolved") : severityWord(live.finding.severity));
    updateIcon();
}

void FindingDetail::updateIcon()
{
    if (!m_shown)
        return;
    const Finding::Severity severity = m_shown->finding.severity;
    const int side = m_word->fontMetrics().height();
    m_icon->setPixmap(severityIcon(severity, palette(), m_gone).pixmap(side, side));
}

void FindingDetail::showSteps(const LiveFinding& live, const Session& session, bool gone)
{
    const SuggestedFix fix = suggestedFixFor(live, session);
    m_fix->setVisible(fix.action != nullptr);
    m_fix->setEnabled(fix.whyNot.isEmpty() && !gone);
    QString note;
    if (fix.action) {
        m_fix->setText(fix.action->title() + QStringLiteral("…"));
        m_fix->setToolTip(withFirstUpper(fix.action->summary()));
        if (!fix.whyNot.isEmpty())
            note = tr("Not available: %1.").arg(fix.whyNot);
    } else {
        note = tr("No automatic fix.");
    }
    m_go->setText(live.finding.ofServer     ? tr("Sho&w the server")
                  : live.handle == noHandle ? tr("Sho&w rows")
                                            : tr("Sho&w"));
    m_go->setEnabled(live.handle == noHandle || fix.target != nullptr);
    m_go->setVisible(!live.boardless);
    const QString board = live.finding.ofServer ? tr("Server") : kindPluralTitle(live.kind);
    m_go->setToolTip(m_go->isEnabled() ? tr("On the board: %1").arg(board)
                                       : tr("It no longer exists"));
    if (gone)
        note = tr("Resolved: there is nothing left to fix.");
    m_whyNot->setText(note);
    m_whyNot->setVisible(!note.isEmpty());
}

} // namespace lk
