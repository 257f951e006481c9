// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/bodies.h"

#include "backend/core/keyname.h"
#include "backend/core/redactedname.h"
#include "backend/text/duration.h"
#include "widgets/charts/horizonchart.h"
#include "widgets/charts/locktimeline.h"
#include "widgets/charts/spanpicker.h"
#include "widgets/charts/timechart.h"
#include "widgets/controls/factgrid.h"
#include "widgets/controls/figurerow.h"
#include "widgets/detail/primitivefacts.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QLabel>
#include <QLocale>
#include <QVBoxLayout>

namespace lk {

namespace {

constexpr double futureShare = 0.22; // of the charts' width: room for what is left of the lease

class LockBody final : public DetailBody
{
    Q_DECLARE_TR_FUNCTIONS(lk::LockBody)

public:
    explicit LockBody(QWidget* parent = nullptr);

    void begin(Session& session, Handle handle) override;
    void showState(Session& session, Handle handle, const State& state) override;
    void showTime(Session& session, Handle handle, qint64 serverNowMs) override;

private:
    void showFigures(const State& state, const LockState& lock);

    FigureRow* m_figures;
    FactGrid* m_owner;
    SpanPicker* m_span;
    LockTimeline* m_timeline;
    TimeChart* m_lease;
    HorizonChart* m_horizon;
    FactGrid* m_facts;
    SeriesFeed* m_feed;
};

LockBody::LockBody(QWidget* parent)
    : DetailBody(parent)
    , m_figures(new FigureRow)
    , m_owner(new FactGrid)
    , m_span(new SpanPicker)
    , m_timeline(new LockTimeline)
    , m_lease(new TimeChart)
    , m_horizon(new HorizonChart)
    , m_facts(new FactGrid)
    , m_feed(new SeriesFeed(this, futureShare))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(12);
    layout->addWidget(m_figures);
    layout->addWidget(m_owner);
    layout->addWidget(m_span, 0, Qt::AlignLeft);
    layout->addWidget(m_timeline, 2);
    layout->addWidget(m_lease, 3);
    layout->addWidget(m_horizon, 3);
    layout->addWidget(m_facts);
    m_timeline->setTitle(tr("Who held it"));
    m_lease->setTitle(tr("TTL"), tr("until the lock expires"), Metric::Unit::Milliseconds);
    const int lease = m_lease->addSeries(tr("TTL"), ColorRole::Accent, TimeChart::Shape::Line);
    m_lease->setAbsentText(lease, tr("no TTL"));
    m_feed->add(m_lease, lease, metricIndex(Kind::Lock, "lease"));
    m_timeline->setAxis(m_feed->axis());
    m_horizon->setOfAll(true);
    m_horizon->setTitle(tr("Locks expiring, all"), tr("locks"));
    m_span->setAxis(m_feed->axis());
}

void LockBody::begin(Session& session, Handle handle)
{
    m_timeline->setIntervals({});
    m_timeline->setStaleAfter(session.staleAfterMs());
    m_feed->setSource(&session, handle);
}

void LockBody::showState(Session& session, Handle handle, const State& state)
{
    const auto* lock = state.as<LockState>();
    if (!lock)
        return;
    showFigures(state, *lock);
    std::vector<HoldInterval> intervals;
    const QString lane = shownName(*state.primitive, 40);
    for (const Hold& hold : session.holds().holds(handle)) {
        intervals.push_back({lane, displayPreview(hold.owner, 60), hold.fromMs, hold.toMs,
                             hold.leaseEndMs, hold.immortal, hold.renewals, hold.open,
                             hold.fromKnown, hold.endKnown});
    }
    m_timeline->setIntervals(std::move(intervals));
    // What never ends has no lease to draw.
    m_lease->setVisible(lock->phase != LockState::Phase::NoTtl);
    m_facts->setRows(primitiveFacts(state));
}

void LockBody::showTime(Session& session, Handle, qint64 serverNowMs)
{
    m_feed->refresh(serverNowMs);
    if (const SummaryPtr& digest = session.summary()) {
        m_horizon->setEnds(digest->leaseEndsMs, int(digest->immortalLocks));
        m_horizon->setNow(session.isLive() ? serverNowMs : digest->atMs);
    }
}

void LockBody::showFigures(const State& state, const LockState& lock)
{
    const QString unknown = QStringLiteral("\u2013");
    const ColorRole color = state.health == Health::Bad ? ColorRole::Danger : ColorRole::Text;
    QString lease = lock.leaseMs ? formatDuration(*lock.leaseMs) : unknown;
    if (lock.phase == LockState::Phase::NoTtl)
        lease = tr("no TTL");
    else if (lock.phase == LockState::Phase::Expired)
        lease = tr("expired");
    const bool held = lock.phase != LockState::Phase::Free && state.observed.sinceMs > 0;
    m_figures->setFigures({{lease, tr("TTL"), color},
                           {held ? formatDuration(state.asOfMs - state.observed.sinceMs) : unknown,
                            tr("held for at least")},
                           {QLocale().toString(state.observed.renewals), tr("renewals seen")},
                           {QLocale().toString(lock.holds), tr("holds")}});
    QString owner = lock.phase == LockState::Phase::Free ? tr("nobody")
                    : lock.ownerKnown                    ? displayName(lock.owner)
                                                         : tr("not stored in the value");
    m_owner->setRows({{tr("Owner"), owner, lock.ownerKnown},
                      {tr("Waiting"), tr("not stored by this kind of lock"), false}});
}

} // namespace

DetailBody* makeLockBody()
{
    return new LockBody;
}

} // namespace lk
