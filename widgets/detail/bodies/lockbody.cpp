// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "backend/session/sessionboard.h"
#include "backend/session/sessionseries.h"
#include "backend/session/sessionstates.h"
#include "widgets/detail/bodies/bodies.h"

#include "backend/core/names/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/text/time/duration.h"
#include "widgets/actions/actionbar.h"
#include "widgets/charts/expiryhistogram.h"
#include "widgets/charts/locks/holdintervals.h"
#include "widgets/charts/locks/locktimeline.h"
#include "widgets/charts/time/spanpicker.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/controls/labels/figurerow.h"
#include "widgets/detail/primitivefacts.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/detail/tables/holdertable.h"
#include "widgets/theme/boxlayout.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QKeyEvent>
#include <QLabel>
#include <QLocale>
#include <QMenu>

namespace lk {

namespace {

// "2 of 3" of a semaphore whose limit is known.
QString holdsText(const LockState& lock)
{
    const QString holds = QLocale().toString(lock.holds);
    return lock.limit && *lock.limit > 1
               ? QStringLiteral("%1/%2").arg(holds, QLocale().toString(*lock.limit))
               : holds;
}

constexpr qint64 recordedStaleMs = 10'000; // a recorder repeats an open hold that often
constexpr double futureShare = 0.22;       // of the charts' width: room for the rest of the lease

class LockBody final : public DetailBody
{
    Q_DECLARE_TR_FUNCTIONS(lk::LockBody)

public:
    explicit LockBody(QWidget* parent = nullptr);

    void begin(Session& session, Handle handle) override;
    void showState(Session& session, Handle handle, const State& state) override;
    void showTime(Session& session, Handle handle, qint64 serverNowMs) override;
    std::map<QByteArray, QByteArray> chosenValues() const override;

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void showTimeline(const State& state);
    void showFigures(const State& state, const LockState& lock);
    void showHolders(const State& state, const LockState& lock);
    void showMenu(const QPoint& at);
    std::vector<ActionOffer> offers() const;

    FigureRow* m_figures;
    FactGrid* m_owner;
    HolderTable* m_holders;
    QLabel* m_more;
    SpanPicker* m_span;
    LockTimeline* m_timeline;
    TimeChart* m_lease;
    ExpiryHistogram* m_horizon;
    FactGrid* m_facts;
    SeriesFeed* m_feed;
    Session* m_session = nullptr; ///< from begin(); outlives the shown state
    StatePtr m_shown;             ///< null: nothing is
};

LockBody::LockBody(QWidget* parent)
    : DetailBody(parent)
    , m_figures(new FigureRow)
    , m_owner(new FactGrid)
    , m_holders(new HolderTable)
    , m_more(new QLabel)
    , m_span(new SpanPicker)
    , m_timeline(new LockTimeline)
    , m_lease(new TimeChart)
    , m_horizon(new ExpiryHistogram)
    , m_facts(new FactGrid)
    , m_feed(new SeriesFeed(this, futureShare))
{
    m_holders->hide();
    m_holders->installEventFilter(this);
    connect(m_holders, &QWidget::customContextMenuRequested, this, &LockBody::showMenu);
    m_more->setFont(uiFont(TextSize::Caption));
    m_more->setForegroundRole(QPalette::PlaceholderText);
    m_more->setTextFormat(Qt::PlainText);
    m_more->setWordWrap(true);
    m_more->hide();
    columnIn(this, {}, 12,
             {m_figures,
              m_owner,
              m_holders,
              m_more,
              {m_span, 0, Qt::AlignLeft},
              {m_timeline, 2},
              {m_lease, 3},
              {m_horizon, 3},
              m_facts});
    m_timeline->setTitle(tr("Who held it"));
    m_lease->setTitle(tr("TTL"), tr("until the lock expires"), Metric::Unit::Milliseconds);
    const int lease = m_lease->addSeries(tr("TTL"), ColorRole::Accent, TimeChart::Shape::Line);
    m_lease->setAbsentText(lease, tr("no TTL"));
    m_feed->add(m_lease, lease, metricIndex(Kind::Lock, "lease"));
    m_timeline->setAxis(m_feed->axis());
    connect(m_feed, &SeriesFeed::recordedHoldsChanged, this, [this] {
        if (m_shown)
            showTimeline(*m_shown);
    });
    m_horizon->setOfAll(true);
    m_horizon->setTitle(tr("Locks expiring, all"), tr("locks"));
    m_span->setAxis(m_feed->axis());
}

void LockBody::begin(Session& session, Handle handle)
{
    m_timeline->setIntervals({});
    m_timeline->setStaleAfter(session.isPast() ? recordedStaleMs : session.series().staleAfterMs());
    m_session = &session;
    m_feed->setSource(&session, handle);
    m_shown = nullptr;
    m_holders->clearSelection();
}

void LockBody::showState(Session& session, Handle handle, const State& state)
{
    const auto* lock = state.as<LockState>();
    if (!lock)
        return;
    m_shown = session.states().at(handle);
    showFigures(state, *lock);
    showHolders(state, *lock);
    showTimeline(state);
    // A lock without TTL has no lease to draw.
    m_lease->setVisible(lock->leaseMs || lock->phase == LockState::Phase::Free);
    m_facts->setRows(primitiveFacts(state, session.report().map));
}

// Uses the holds in memory, and recorded ones before that and in the past.
void LockBody::showTimeline(const State& state)
{
    m_timeline->setIntervals(holdIntervals(m_feed->holds(), shownName(*state.primitive, 40)));
}

void LockBody::showTime(Session& session, Handle, qint64 serverNowMs)
{
    m_feed->refresh(serverNowMs);
    if (const SummaryPtr& summary = session.board().summary()) {
        m_horizon->setEnds(summary->leasesByEnd, summary->noTtlLocks);
        m_horizon->setNow(session.isLive() ? serverNowMs : summary->atMs);
        m_horizon->setPast(session.isPast() ? session.live()->serverNowMs() : 0);
    }
}

void LockBody::showFigures(const State& state, const LockState& lock)
{
    const QString unknown = QStringLiteral("\u2013");
    const ColorRole color =
        state.health >= Health::Warning ? healthRole(state.health) : ColorRole::Text;
    QString lease = lock.leaseMs ? formatDuration(*lock.leaseMs) : unknown;
    if (lock.phase == LockState::Phase::NoTtl)
        lease = tr("no TTL");
    else if (lock.phase == LockState::Phase::Expired)
        lease = tr("expired");
    const bool isRead = !state.problem; // else the owner is unknown
    const bool held = lock.phase != LockState::Phase::Free && state.observed.sinceMs > 0;
    m_figures->setFigures({{lease, tr("TTL"), color},
                           {held ? formatDuration(state.asOfMs - state.observed.sinceMs) : unknown,
                            tr("held for at least")},
                           {QLocale().toString(state.observed.renewals), tr("renewals seen")},
                           {isRead ? holdsText(lock) : unknown,
                            lock.limit && *lock.limit > 1 ? tr("permits used") : tr("holds")}});
    const QString owner = !isRead                                ? tr("unknown")
                          : lock.phase == LockState::Phase::Free ? tr("nobody")
                          : lock.ownerKnown                      ? displayName(lock.owner)
                          : lock.holdersTotal > 1
                              ? (lock.shared ? tr("%Ln readers", nullptr, int(lock.holdersTotal))
                                             : tr("%Ln holders", nullptr, int(lock.holdersTotal)))
                              : tr("not stored in the value");
    const QString waiting =
        lock.waiters ? QLocale().toString(*lock.waiters) : tr("not stored by this kind of lock");
    std::vector<FactGrid::Row> rows{{tr("Owner"), owner, lock.ownerKnown},
                                    {tr("Waiting"), waiting, false}};
    if (!lock.partOf->isEmpty())
        rows.push_back({tr("Part of"), displayName(*lock.partOf), false});
    m_owner->setRows(std::move(rows));
}

// A lock with one owner and no recorded waiters needs no table.
void LockBody::showHolders(const State& state, const LockState& lock)
{
    const bool several = lock.holdersTotal > 1 || lock.limit != 1 || !lock.waiting.empty();
    const size_t rows = lock.holders.size() + lock.waiting.size();
    m_holders->setLock(lock, state.asOfMs);
    m_holders->setVisible(several && rows > 0);
    const qint64 more = lock.holdersTotal - qint64(lock.holders.size());
    m_more->setText(tr("and %Ln more", nullptr, int(more)));
    m_more->setVisible(several && more > 0);
}

std::map<QByteArray, QByteArray> LockBody::chosenValues() const
{
    const QByteArray holder = m_holders->isHidden() ? QByteArray() : m_holders->chosen();
    if (holder.isEmpty())
        return {};
    return {{QByteArrayLiteral("owner"), holder}};
}

// The lock's actions on one of its holders.
std::vector<ActionOffer> LockBody::offers() const
{
    std::vector<ActionOffer> all;
    if (!m_shown || !m_session || m_holders->chosen().isEmpty())
        return all;
    for (ActionOffer& offer : offersFor({m_shown}, m_session->acting().limits())) {
        if (offer.action->parameter("owner", offer.action->parameters()))
            all.push_back(std::move(offer));
    }
    return all;
}

void LockBody::showMenu(const QPoint& at)
{
    if (offers().empty())
        return;
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    addOffersTo(menu, offers(), this, [this](const Action* action) { emit actionChosen(action); });
    // By key it opens at the current row.
    const QRect row = m_holders->visualRect(m_holders->currentIndex());
    const bool onRow = m_holders->indexAt(at).isValid();
    menu->popup(
        m_holders->viewport()->mapToGlobal(onRow || !row.isValid() ? at : row.bottomLeft()));
}

bool LockBody::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == m_holders && event->type() == QEvent::KeyPress &&
        static_cast<QKeyEvent*>(event)->key() == Qt::Key_Delete) {
        for (const ActionOffer& offer : offers()) {
            if (offer.action->removes() && offer.whyNot.isEmpty()) {
                emit actionChosen(offer.action);
                break;
            }
        }
        return true;
    }
    return DetailBody::eventFilter(watched, event);
}

} // namespace

DetailBody* makeLockBody()
{
    return new LockBody;
}

} // namespace lk
