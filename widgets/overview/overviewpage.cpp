// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/overview/overviewpage.h"

#include "backend/session/session.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionfindings.h"
#include "backend/session/sessionpolling.h"
#include "backend/text/kindtitles.h"
#include "backend/text/scantext.h"
#include "backend/text/time/ttlfilter.h"
#include "widgets/board/boardtexts.h"
#include "widgets/charts/expiryhistogram.h"
#include "widgets/controls/emptystate.h"
#include "widgets/controls/panels/panel.h"
#include "widgets/controls/progressline.h"
#include "widgets/overview/summarylist.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/icon.h"
#include "widgets/theme/theme.h"

#include <QEvent>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QMouseEvent>
#include <QStackedLayout>
#include <QToolButton>

#include <algorithm>
#include <limits>
#include <utility>

namespace lk {

namespace {

constexpr int buttonInset = 4; // of the icon in a flat button
constexpr int chartInset = 2;  // of a chart's title in the chart
constexpr int tileGap = 8;     // between a card's title and its icon

// "2 full · 7 idle", as many as there is room for. isAll: all keys were read.
QString wordsText(const KindSummary& summary, bool isAll, const QFontMetrics& metrics, int room)
{
    const QString between = QStringLiteral(" \u00b7 ");
    QStringList parts;
    for (const SetCount& one : summary.bySet) {
        if (parts.size() == 3)
            break;
        parts << QStringLiteral("%1 %2").arg(QLocale().toString(one.count), rowSetTitle(one.set));
    }
    if (parts.isEmpty())
        return isAll ? OverviewPage::tr("none detected") : OverviewPage::tr("none so far");
    // A text that fills the room to the pixel would be elided, because the width was rounded.
    while (parts.size() > 1 && metrics.horizontalAdvance(parts.join(between)) >= room)
        parts.removeLast();
    return metrics.elidedText(parts.join(between), Qt::ElideRight, room);
}

// As far as that was seen, since the console began.
QString endsText(const TokenEnds& ends)
{
    using End = TokenState::End;
    const QString between = QStringLiteral(" \u00b7 ");
    QStringList parts;
    for (const auto& [end, word] : {std::pair(End::Consumed, OverviewPage::tr("used")),
                                    std::pair(End::Expired, OverviewPage::tr("expired")),
                                    std::pair(End::Revoked, OverviewPage::tr("revoked")),
                                    std::pair(End::Gone, OverviewPage::tr("deleted"))}) {
        if (const qint64 count = ends[size_t(end)]; count > 0)
            parts << QStringLiteral("%1 %2").arg(QLocale().toString(count), word);
    }
    return parts.isEmpty() ? OverviewPage::tr("none ended yet")
                           : OverviewPage::tr("Ended: %1").arg(parts.join(between));
}

// Before a number that is estimated.
QString aboutMark(const QString& estimate)
{
    return estimate.isEmpty() ? QString() : QStringLiteral("\u2248 ");
}

// Findings that need attention and have no row on a board: of the server, or of several servers or
// keys together. Worst first.
std::vector<LiveFindingPtr> placelessFindings(const Session& session)
{
    std::vector<LiveFindingPtr> all;
    const LiveFindingsPtr& findings = session.findings().latest();
    for (const LiveFindingPtr& live : findings ? findings->rows : std::vector<LiveFindingPtr>()) {
        if (live->finding.silenced || live->finding.severity < Finding::Severity::Warning)
            break; // those come last
        if (live->handle == noHandle)
            all.push_back(live);
    }
    return all;
}

Health healthOf(Finding::Severity severity)
{
    return severity == Finding::Severity::Error ? Health::Error : Health::Warning;
}

// Primitives and findings, the worst first; of equal ones the findings, which concern more.
std::vector<SummaryItem> attentionOf(const Summary& summary,
                                     const std::vector<LiveFindingPtr>& findings)
{
    std::vector<SummaryItem> all;
    all.reserve(summary.attention.size() + findings.size());
    for (const LiveFindingPtr& live : findings)
        all.push_back({noHandle, nullptr, live->finding.message, 0, live});
    all.insert(all.end(), summary.attention.begin(), summary.attention.end());
    const auto health = [](const SummaryItem& item) {
        return item.state ? item.state->health : healthOf(item.finding->finding.severity);
    };
    std::stable_sort(all.begin(), all.end(), [&](const SummaryItem& a, const SummaryItem& b) {
        return health(a) > health(b);
    });
    return all;
}

void setTip(QWidget* widget, const QString& tip)
{
    if (widget->toolTip() != tip) // else listeners are notified without a change
        widget->setToolTip(tip);
}

QWidget* padded(QWidget* body, QWidget* below = nullptr)
{
    auto* holder = new QWidget;
    auto* layout = columnIn(holder, {15 - chartInset, 0, 15 - chartInset, 4}, -1, {{body, 1}});
    if (below)
        layout->addWidget(below);
    return holder;
}

// A list whose icons stand below their panel's title.
QWidget* inset(QWidget* list)
{
    auto* holder = new QWidget;
    columnIn(holder, {7, 0, 7, 0}, 0, {list});
    return holder;
}

} // namespace

OverviewPage::OverviewPage(QWidget* parent)
    : Board({QStringLiteral("overview"), tr("Overview"), QStringLiteral("overview")}, parent)
    , m_stack(new QStackedLayout(this))
    , m_empty(new EmptyState)
    , m_scanText(new QLabel)
    , m_scanLine(new ProgressLine(tr("Progress of the first scan")))
    , m_attention(new SummaryList(SummaryList::Show::Reason, tr("Needs attention")))
    , m_unknownLimits(new QToolButton)
    , m_fullest(new SummaryList(SummaryList::Show::Fill, tr("Fullest limiters")))
    , m_busiest(new SummaryList(SummaryList::Show::Rate, tr("Busiest limiters")))
    , m_deepest(new SummaryList(SummaryList::Show::Depth, tr("Deepest queues")))
    , m_leases(new ExpiryHistogram)
    , m_tokens(new ExpiryHistogram)
    , m_ended(new QLabel)
{
    m_attentionPanel = new Panel(tr("Needs attention"), buildAttention());
    m_leases->setTitle(tr("Locks expiring"), tr("locks"));
    m_tokens->setTitle(tr("Live tokens expiring"), tr("tokens"));
    m_ended->setObjectName(QStringLiteral("tokenEnds"));
    m_ended->setFont(uiFont(TextSize::Caption));
    m_ended->setForegroundRole(QPalette::PlaceholderText);
    m_ended->setContentsMargins(chartInset, 0, chartInset, 0); // below the chart's title
    m_ended->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    setUpHorizon(m_leases, Kind::Lock);
    setUpHorizon(m_tokens, Kind::Token);

    auto* page = new QWidget;
    auto* grid = new QGridLayout(page);
    grid->setContentsMargins(16, 12, 16, 12);
    grid->setSpacing(12);
    grid->addWidget(buildTiles(), 0, 0, 1, 2);
    grid->addWidget(m_attentionPanel, 1, 0, 3, 1);
    grid->addWidget(new Panel(tr("Fullest limiters"), buildFullest()), 1, 1);
    grid->addWidget(new Panel(tr("Busiest limiters"), inset(m_busiest)), 2, 1);
    grid->addWidget(new Panel(tr("Deepest queues"), inset(m_deepest)), 3, 1);
    grid->addWidget(new Panel({}, padded(m_leases)), 4, 0);
    grid->addWidget(new Panel({}, padded(m_tokens, m_ended)), 4, 1);
    grid->setColumnStretch(0, 1);
    grid->setColumnStretch(1, 1);
    for (int row = 1; row <= 3; ++row)
        grid->setRowStretch(row, 2);
    grid->setRowStretch(4, 3);
    m_stack->addWidget(page);
    m_stack->addWidget(m_empty);
    for (SummaryList* list : {m_attention, m_fullest, m_busiest, m_deepest})
        connect(list, &SummaryList::chosen, this, [this](Kind kind, Handle handle) {
            emit wanted(PrimitiveTarget{kind, handle});
        });
    connect(m_attention, &SummaryList::findingChosen, this,
            [this](quint64 id) { emit wanted(FindingTarget{id}); });
    updateIcons();
    updateEmptyState();
}

// The list, and above it how far the first scan is, for as long as it runs.
QWidget* OverviewPage::buildAttention()
{
    m_scanText->setObjectName(QStringLiteral("scanSoFar"));
    m_scanText->setFont(uiFont(TextSize::Caption));
    m_scanText->setForegroundRole(QPalette::PlaceholderText);
    m_scanText->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* progress = new QWidget;
    columnIn(progress, {15, 2, 15, 8}, 4, {m_scanText, m_scanLine});
    progress->hide();
    auto* holder = new QWidget;
    columnIn(holder, {}, 0, {progress, {inset(m_attention), 1}});
    return holder;
}

// The list, and below it of how many it says nothing.
QWidget* OverviewPage::buildFullest()
{
    m_unknownLimits->setObjectName(QStringLiteral("unknownLimits"));
    m_unknownLimits->setFont(uiFont(TextSize::Caption));
    m_unknownLimits->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_unknownLimits->setAutoRaise(true);
    m_unknownLimits->setToolTip(tr("Opens the board with these limiters: each can be declared"));
    m_unknownLimits->hide();
    connect(m_unknownLimits, &QToolButton::clicked, this, [this] {
        RowSet unknown;
        unknown.state = StateId::LimitUnknown;
        emit wanted(RowsTarget{Kind::Limiter, {}, unknown, RowsTarget::Order::WorstFirst});
    });
    auto* holder = new QWidget;
    auto* below = new QHBoxLayout;
    below->setContentsMargins(15 - buttonInset, 0, 15, 4);
    below->addWidget(m_unknownLimits);
    below->addStretch(1);
    columnIn(holder, {}, 0, {{inset(m_fullest), 1}, below});
    return holder;
}

// Nothing calm is said of keys that were not read.
void OverviewPage::refreshScan()
{
    const std::optional<ScanSoFar> soFar = scanSoFar(*m_session);
    const ScanCounts& scan = m_session->report().scan;
    m_scanLine->parentWidget()->setVisible(soFar && soFar->isRunning);
    if (soFar && soFar->isRunning) {
        m_scanText->setText(m_scanText->fontMetrics().elidedText(
            tr("First scan: %1").arg(scanningText(scan.scanned, scan.expected, scan.elapsedMs)),
            Qt::ElideRight, m_attention->width() - 16));
        m_scanLine->setPercent(soFar->percent);
    }
    const QString nothing = soFar ? nothingSoFarText(*soFar) : QString();
    const auto none = [&](const QString& calm) { return soFar ? nothing : calm; };
    m_attention->setNoneText(none(tr("Nothing needs attention right now.")));
    const SummaryPtr summary = m_session->board().summary();
    const qint64 unknown = summary ? summary->unknownLimits : 0;
    m_fullest->setNoneText(none(unknown > 0 ? tr("No limiter with a known limit is in use.")
                                            : tr("No limiter is in use.")));
    m_busiest->setNoneText(none(tr("No limiter was seen to count requests.")));
    m_deepest->setNoneText(none(tr("All queues are empty.")));
    m_unknownLimits->setVisible(unknown > 0);
    m_unknownLimits->setText(tr("The limits of %Ln limiter(s) are not known…", nullptr,
                                int(std::min<qint64>(unknown, std::numeric_limits<int>::max()))));
}

QWidget* OverviewPage::buildTiles()
{
    auto* row = new QWidget;
    auto* layout = rowIn(row, {}, 12);
    for (Kind kind : allKinds) {
        auto* body = new QWidget;
        auto* inner = new QGridLayout(body);
        inner->setContentsMargins(15 - buttonInset, 6, 15, 4);
        inner->setHorizontalSpacing(tileGap);
        inner->setVerticalSpacing(0);
        Tile tile{kind, new QLabel, new QLabel, new QLabel, nullptr, nullptr};
        tile.count->setFont(uiFont(TextSize::Figure));
        tile.caption->setFont(uiFont(TextSize::Caption));
        tile.caption->setForegroundRole(QPalette::PlaceholderText);
        tile.caption->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
        for (QLabel* label : {tile.count, tile.caption})
            label->setContentsMargins(buttonInset, 0, 0, 0); // below the icon
        auto* open = new QToolButton;
        open->setText(kindPluralTitle(kind));
        open->setMinimumWidth(1); // refresh() shortens the title where a card is narrow
        open->setAccessibleName(tr("Open the board %1").arg(kindPluralTitle(kind)));
        open->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        open->setAutoRaise(true);
        connect(open, &QToolButton::clicked, this, [this, kind] { openBoard(kind); });
        inner->addWidget(open, 0, 0, Qt::AlignLeft);
        inner->addWidget(tile.icon, 0, 1, Qt::AlignRight);
        inner->addWidget(tile.count, 1, 0, 1, 2);
        inner->addWidget(tile.caption, 2, 0, 1, 2);
        tile.panel = new Panel({}, body);
        tile.panel->setCursor(Qt::PointingHandCursor);
        tile.panel->installEventFilter(this);
        layout->addWidget(tile.panel, 1);
        tile.open = open;
        m_tiles.push_back(tile);
    }
    return row;
}

// Opens the board at the rows that need attention, or at all rows if none does.
void OverviewPage::openBoard(Kind kind)
{
    const SummaryPtr summary = m_session ? m_session->board().summary() : nullptr;
    emit wanted(RowsTarget{kind,
                           {},
                           summary ? summary->of(kind).worstSet() : RowSet(),
                           RowsTarget::Order::WorstFirst});
}

// A bar opens the board with the primitives that it counts.
void OverviewPage::setUpHorizon(ExpiryHistogram* chart, Kind kind)
{
    chart->setChoosable(tr("open these on the board %1").arg(kindPluralTitle(kind)));
    connect(chart, &ExpiryHistogram::chosen, this,
            [this, kind](const ExpiryHistogram::Stretch& stretch) {
                const QString filter = stretch.never
                                           ? TtlFilter::never()
                                           : TtlFilter::terms(stretch.fromMs, stretch.toMs);
                emit wanted(RowsTarget{kind, filter, {}, RowsTarget::Order::SoonestFirst});
            });
}

// A card is pressed anywhere; by keys it is its button.
bool OverviewPage::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::MouseButtonRelease) {
        const auto* mouse = static_cast<QMouseEvent*>(event);
        for (const Tile& tile : m_tiles) {
            if (tile.panel == watched && mouse->button() == Qt::LeftButton &&
                tile.panel->rect().contains(mouse->position().toPoint())) {
                openBoard(tile.kind);
                return true;
            }
        }
    }
    return QWidget::eventFilter(watched, event);
}

void OverviewPage::updateIcons()
{
    for (const Tile& tile : m_tiles)
        tile.open->setIcon(icon(kindIconName(tile.kind), palette()));
    m_unknownLimits->setIcon(unknownIcon(palette()));
}

void OverviewPage::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) {
        updateIcons();
        for (Tile& tile : m_tiles)
            tile.shown.reset(); // in other colours, or another size
        refresh();
    }
    QWidget::changeEvent(event);
}

void OverviewPage::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    refresh(); // as many words as now fit
}

// All that is there, at a glance.
BoardBadge OverviewPage::badge() const
{
    const SummaryPtr summary = m_session ? m_session->board().summary() : nullptr;
    Health worst = Health::Idle;
    for (const Kind kind : allKinds)
        worst = std::max(worst, summary ? summary->of(kind).worst() : Health::Idle);
    if (m_session) {
        for (const LiveFindingPtr& live : placelessFindings(*m_session))
            worst = std::max(worst, healthOf(live->finding.severity));
    }
    return primitivesBadge(-1, worst);
}

void OverviewPage::sessionChanged()
{
    for (ExpiryHistogram* chart : {m_leases, m_tokens})
        chart->setSubject({{}, m_session ? m_session->title() : QString()});
    if (m_session) {
        connect(&m_session->board(), &SessionBoard::summaryChanged, this, &OverviewPage::refresh);
        connect(&m_session->board(), &SessionBoard::summaryChanged, this,
                &OverviewPage::badgeChanged);
        connect(&m_session->findings(), &SessionFindings::changed, this, &OverviewPage::refresh);
        connect(&m_session->findings(), &SessionFindings::changed, this,
                &OverviewPage::badgeChanged);
        connect(m_session, &Session::statusChanged, this, &OverviewPage::updateEmptyState);
        connect(m_session, &Session::reported, this, &OverviewPage::refresh);
        connect(m_session, &Session::reported, this, &OverviewPage::updateEmptyState);
    }
    updateEmptyState();
}

void OverviewPage::activeChanged()
{
    if (isActive() && m_session) {
        m_session->polling().setAttention({}, noHandle);
        refresh();
    }
}

// Runs twice a second: touches only what has changed, so that nothing else is painted or laid out.
void OverviewPage::refreshTile(Tile& tile, const KindSummary& kind, const QString& estimate)
{
    tile.count->setText(QLocale().toString(kind.total));
    const QFontMetrics metrics = tile.caption->fontMetrics();
    const QString mark = kind.total > 0 ? aboutMark(estimate) : QString();
    tile.caption->setText(mark +
                          wordsText(kind, !m_session || !scanSoFar(*m_session), metrics,
                                    tile.caption->width() - metrics.horizontalAdvance(mark)));
    setTip(tile.caption, kind.total > 0 ? estimate : QString());
    const int side = metrics.height() + 2;
    const bool isAlarming = kind.worst() >= Health::Warning;
    if (std::exchange(tile.shown, kind.worst()) != kind.worst())
        tile.icon->setPixmap(isAlarming ? healthIcon(kind.worst(), palette()).pixmap(side, side)
                                        : QPixmap());
    setTip(tile.icon, isAlarming ? tr("Some need attention") : QString());
    const RowSet set = kind.worstSet();
    QString tip = set.isAll() ? tr("Opens the board, most severe first")
                              : tr("Opens the board, filtered by %1").arg(rowSetTitle(set));
    if (tile.open->accessibleDescription() != tip)
        tile.open->setAccessibleDescription(tip);
    const QString title = kindPluralTitle(tile.kind);
    const QFontMetrics titles = tile.open->fontMetrics();
    const int beside = tile.open->sizeHint().width() - titles.horizontalAdvance(tile.open->text());
    const int room = tile.caption->width() - side - tileGap - beside;
    tile.open->setText(titles.elidedText(title, Qt::ElideRight, room));
    if (tile.open->text() != title)
        tip.prepend(title + QLatin1Char('\n'));
    setTip(tile.open, tip);
}

void OverviewPage::refresh()
{
    if (!isActive() || !m_session || !m_session->board().summary())
        return;
    const Summary& summary = *m_session->board().summary();
    const QLocale locale;
    const QString estimate = estimateText(*m_session);
    const QString about = aboutMark(estimate);
    refreshScan();
    for (Tile& tile : m_tiles)
        refreshTile(tile, summary.of(tile.kind), estimate);
    const std::vector<LiveFindingPtr> placeless = placelessFindings(*m_session);
    const std::vector<SummaryItem> needing = attentionOf(summary, placeless);
    const QString attention =
        about + locale.toString(summary.attentionTotal + qint64(placeless.size()));
    m_attentionPanel->setTitle(scanSoFar(*m_session)
                                   ? tr("Needs attention (%1 so far)").arg(attention)
                                   : tr("Needs attention (%1)").arg(attention));
    setTip(m_attentionPanel, estimate);
    for (const auto& [list, items] :
         {std::pair(m_attention, &needing), std::pair(m_fullest, &summary.fullest),
          std::pair(m_busiest, &summary.busiest), std::pair(m_deepest, &summary.deepest)}) {
        QStringList ages;
        for (const SummaryItem& item : *items)
            ages << (item.state ? readAgoText(*item.state, *m_session) : QString());
        list->setItems(*items, ages);
    }
    m_leases->setEnds(summary.leasesByEnd, summary.noTtlLocks);
    m_tokens->setEnds(summary.tokensByEnd, summary.tokensWithoutEnd);
    const QString ended = endsText(summary.tokenEnds);
    m_ended->setText(m_ended->fontMetrics().elidedText(ended, Qt::ElideRight,
                                                       m_ended->width() - 2 * chartInset));
    setTip(m_ended, ended + QLatin1Char('\n') +
                        tr("Tokens that ended since the console started.\nRevoked: by this "
                           "console.\nDeleted: before their TTL, by other clients; used or "
                           "revoked."));
    for (ExpiryHistogram* chart : {m_leases, m_tokens}) {
        chart->setNow(m_session->serverNowMs());
        chart->setPast(m_session->isPast() ? m_session->live()->serverNowMs() : 0);
    }
    updateEmptyState();
}

void OverviewPage::updateEmptyState()
{
    const SummaryPtr summary = m_session ? m_session->board().summary() : nullptr;
    qint64 total = 0;
    if (summary) {
        for (const KindSummary& kind : summary->kinds)
            total += kind.total;
    }
    m_stack->setCurrentIndex(total > 0 ? 0 : 1);
    if (total > 0)
        return;
    EmptyText text = emptyText(Kind::Limiter, m_session, false);
    const bool lookedAtAll = m_session && m_session->report().scan.whole() &&
                             m_session->status().phase == ConnectionStatus::Phase::Ready;
    if (lookedAtAll)
        text.headline = tr("Nothing detected");
    m_empty->setText(text.icon, text.headline, text.text, text.example, text.percent);
}

} // namespace lk
