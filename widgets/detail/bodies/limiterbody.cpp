// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionstates.h"
#include "widgets/detail/bodies/bodies.h"

#include "backend/core/names/keyname.h"
#include "backend/text/kindtitles.h"
#include "backend/text/statewords.h"
#include "backend/text/time/duration.h"
#include "widgets/charts/strips/windowstrip.h"
#include "widgets/charts/time/spanpicker.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/controls/labels/figurerow.h"
#include "widgets/controls/panels/section.h"
#include "widgets/detail/primitivefacts.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/detail/slotspread.h"
#include "widgets/detail/tables/consumertable.h"
#include "widgets/theme/boxlayout.h"

#include <QCoreApplication>
#include <QLabel>
#include <QLocale>

namespace lk {

namespace {

class LimiterBody final : public DetailBody
{
    Q_DECLARE_TR_FUNCTIONS(lk::LimiterBody)

public:
    explicit LimiterBody(QWidget* parent = nullptr);

    void begin(Session& session, Handle handle) override;
    void showState(Session& session, Handle handle, const State& state) override;
    void showTime(Session& session, Handle handle, qint64 serverNowMs) override;

private:
    void showFigures(const State& state, const LimiterState& limiter);
    void showFacts(const Session& session, const State& state, const LimiterState& limiter);

    FigureRow* m_figures;
    WindowStrip* m_strip;
    SpanPicker* m_span;
    TimeChart* m_occupancy;
    TimeChart* m_retry;
    SeriesFeed* m_feed;
    Section* m_consumersSection;
    ConsumerTable* m_consumers;
    Section* m_slotsSection;
    SlotSpreadView* m_slots;
    FactGrid* m_facts;
};

LimiterBody::LimiterBody(QWidget* parent)
    : DetailBody(parent)
    , m_figures(new FigureRow)
    , m_strip(new WindowStrip)
    , m_span(new SpanPicker)
    , m_occupancy(new TimeChart)
    , m_retry(new TimeChart)
    , m_feed(new SeriesFeed(this))
    , m_consumersSection(new Section(tr("Consumers")))
    , m_consumers(new ConsumerTable)
    , m_slotsSection(new Section(tr("Cluster slots")))
    , m_slots(new SlotSpreadView)
    , m_facts(new FactGrid)
{
    auto* layout =
        columnIn(this, {}, 12,
                 {m_figures, m_strip, {m_span, 0, Qt::AlignLeft}, {m_occupancy, 3}, {m_retry, 2}});
    m_consumersSection->setBody(m_consumers);
    layout->addWidget(m_consumersSection);
    m_slotsSection->setBody(m_slots);
    layout->addWidget(m_slotsSection);
    layout->addWidget(m_facts);

    m_occupancy->setTitle(tr("Used"), tr("requests in the window"), Metric::Unit::Count);
    m_feed->add(m_occupancy, m_occupancy->addSeries(tr("used"), ColorRole::Accent),
                metricIndex(Kind::Limiter, "occupancy"));
    m_retry->setTitle(tr("Retry after"), tr("what a rejected client is told"),
                      Metric::Unit::Milliseconds);
    m_feed->add(m_retry,
                m_retry->addSeries(tr("retry after"), ColorRole::Violet, TimeChart::Shape::Line),
                metricIndex(Kind::Limiter, "retry"));
    m_span->setAxis(m_feed->axis());
}

void LimiterBody::begin(Session& session, Handle handle)
{
    m_strip->clear();
    m_feed->setSource(&session, handle);
}

void LimiterBody::showState(Session& session, Handle, const State& state)
{
    const auto* limiter = state.as<LimiterState>();
    if (!limiter)
        return;
    showFigures(state, *limiter);
    if (state.problem)
        m_strip->clear();
    else
        m_strip->setState(*limiter, state.asOfMs, state.ttlMs);
    if (limiter->limit)
        m_occupancy->setLimit(double(*limiter->limit),
                              tr("limit %1").arg(QLocale().toString(*limiter->limit)));
    else
        m_occupancy->setLimit(std::nullopt);
    // Layouts that give a refused caller no advice have no such chart.
    m_retry->setVisible(limiter->retryAfterMs.has_value());
    m_consumersSection->setVisible(limiter->consumersTotal > 0);
    m_slotsSection->setVisible(limiter->consumersTotal > 0);
    if (limiter->consumersTotal > 0) {
        m_consumersSection->setTitle(tr("Consumers (%1)").arg(limiter->consumersTotal));
        m_slots->setPrimitive(state.primitive);
        m_consumers->setConsumers(limiter->consumers, m_slots->spread().main);
    }
    showFacts(session, state, *limiter);
}

void LimiterBody::showTime(Session& session, Handle handle, qint64 serverNowMs)
{
    // Marks that move while nothing is read would leave a window that was never observed.
    const StatePtr state = session.states().at(handle);
    m_strip->setPaused(!session.isLive());
    m_strip->setServerNow(session.isLive() || !state ? serverNowMs : state->asOfMs);
    m_feed->refresh(serverNowMs);
}

void LimiterBody::showFigures(const State& state, const LimiterState& s)
{
    const QLocale locale;
    const QString unknown = QStringLiteral("\u2013");
    const ColorRole color =
        state.health >= Health::Warning ? healthRole(state.health) : ColorRole::Text;
    const QString used = s.occupancy ? locale.toString(*s.occupancy) : unknown;
    const auto wait = [&](std::optional<qint64> ms) {
        return !ms ? unknown : *ms == 0 ? tr("now") : formatDuration(*ms);
    };
    m_figures->setFigures(
        {{(s.occupancyIsUpperBound ? QStringLiteral("\u2264 ") : QString()) + used +
              QStringLiteral(" / ") + (s.limit ? locale.toString(*s.limit) : QStringLiteral("?")),
          s.windowMs ? tr("used in %1").arg(formatDuration(*s.windowMs))
                     : tr("recorded; window unknown"),
          color},
         {s.remaining ? locale.toString(*s.remaining) : unknown, tr("remaining")},
         {wait(s.nextFreeMs), tr("next free")},
         {s.retryAfterMs && *s.retryAfterMs > 0 ? formatDuration(*s.retryAfterMs) : unknown,
          tr("retry after")}});
}

void LimiterBody::showFacts(const Session& session, const State& state, const LimiterState& s)
{
    std::vector<FactGrid::Row> rows;
    const auto add = [&](const QString& label, const QString& value, Source source) {
        rows.push_back({label, QStringLiteral("%1 (%2)").arg(value, sourceText(source)), false});
    };
    rows.push_back({tr("Algorithm"), algorithmTitle(s.algorithm), false});
    add(tr("Limit"), s.limit ? QLocale().toString(*s.limit) : tr("not stored"), s.limitSource);
    add(tr("Window"), s.windowMs ? formatDuration(*s.windowMs) : tr("not stored"), s.windowSource);
    const std::vector<FactGrid::Row> common = primitiveFacts(state, session.report().map);
    rows.insert(rows.end(), common.begin(), common.end());
    m_facts->setRows(std::move(rows));
}

} // namespace

DetailBody* makeLimiterBody()
{
    return new LimiterBody;
}

} // namespace lk
