// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/detail/bodies/bodies.h"

#include "backend/core/derived/patternfigures.h"
#include "backend/text/numbers/figures.h"
#include "widgets/charts/time/spanpicker.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/controls/labels/figurerow.h"
#include "widgets/controls/panels/section.h"
#include "widgets/detail/patterntexts.h"
#include "widgets/detail/primitivefacts.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/detail/tables/patterntable.h"
#include "widgets/theme/boxlayout.h"

#include <QCoreApplication>
#include <QLabel>

#include <algorithm>
#include <optional>

namespace lk {

namespace {

using Rows = PatternState::Rows;

constexpr size_t mostFigures = 4;

class PatternBody final : public DetailBody
{
    Q_DECLARE_TR_FUNCTIONS(lk::PatternBody)

public:
    explicit PatternBody(QWidget* parent = nullptr);

    void begin(Session& session, Handle handle) override;
    void showState(Session& session, Handle handle, const State& state) override;
    void showTime(Session& session, Handle handle, qint64 serverNowMs) override;

private:
    void showFigures(const State& state, const PatternState& pattern);
    void showRows(const State& state, const PatternState& pattern, bool past);
    void showCharts(const PatternState& pattern);

    FigureRow* m_figures;
    Section* m_rowsSection;
    PatternTable* m_rows;
    QLabel* m_noRows;
    SpanPicker* m_span;
    TimeChart* m_holds;
    TimeChart* m_left;
    TimeChart* m_pace;
    FactGrid* m_facts;
    SeriesFeed* m_feed;
    /// The values that the charts' titles depend on; each title costs a redraw.
    struct Titled
    {
        Rows rowsAre;
        bool counts;
        QString unit;

        bool operator==(const Titled&) const = default;
    };
    std::optional<Titled> m_titled;
};

PatternBody::PatternBody(QWidget* parent)
    : DetailBody(parent)
    , m_figures(new FigureRow)
    , m_rowsSection(new Section({}))
    , m_rows(new PatternTable)
    , m_noRows(new QLabel)
    , m_span(new SpanPicker)
    , m_holds(new TimeChart)
    , m_left(new TimeChart)
    , m_pace(new TimeChart)
    , m_facts(new FactGrid)
    , m_feed(new SeriesFeed(this))
{
    m_rowsSection->setBody(m_rows);
    auto* layout = columnIn(this, {}, 12,
                            {m_figures,
                             m_rowsSection,
                             m_noRows,
                             {m_span, 0, Qt::AlignLeft},
                             {m_pace, 3},
                             {m_left, 3},
                             {m_holds, 3},
                             m_facts});
    layout->addStretch(0);                  // where no chart takes the room that is left
    m_noRows->setTextFormat(Qt::PlainText); // what a server holds is never markup
    m_noRows->setWordWrap(true);
    m_noRows->setForegroundRole(QPalette::PlaceholderText);

    m_feed->add(m_holds, m_holds->addSeries(tr("holds"), ColorRole::Accent),
                metricIndex(Kind::Pattern, "holds"));
    const int left = m_left->addSeries(tr("time left"), ColorRole::Violet, TimeChart::Shape::Line);
    m_left->setAbsentText(left, tr("no TTL"));
    m_feed->add(m_left, left, metricIndex(Kind::Pattern, "ttl"));
    m_feed->add(m_pace, m_pace->addSeries(tr("per minute"), ColorRole::Ok, TimeChart::Shape::Line),
                metricIndex(Kind::Pattern, "pace"));
    m_span->setAxis(m_feed->axis());
}

void PatternBody::begin(Session& session, Handle handle)
{
    m_rows->clearSelection();
    m_rows->scrollToTop();
    m_feed->setSource(&session, handle);
}

void PatternBody::showState(Session& session, Handle, const State& state)
{
    const auto* pattern = state.as<PatternState>();
    if (!pattern)
        return;
    showFigures(state, *pattern);
    showRows(state, *pattern, session.isPast());
    showCharts(*pattern);
    m_facts->setRows(primitiveFacts(state, session.report().map));
}

void PatternBody::showTime(Session&, Handle, qint64 serverNowMs)
{
    m_feed->refresh(serverNowMs);
}

void PatternBody::showFigures(const State& state, const PatternState& pattern)
{
    std::vector<Figure> figures = patternFigures(state, pattern);
    figures.resize(std::min(mostFigures, figures.size()));
    m_figures->setFigures(figures);
}

void PatternBody::showRows(const State& state, const PatternState& pattern, bool past)
{
    m_rowsSection->setVisible(!pattern.rows.empty());
    const QString title = rowsTitle(pattern);
    m_rowsSection->setTitle(title);
    m_rows->setAccessibleName(title);
    m_rows->setPattern(pattern);
    const QString none = noRowsText(state, pattern, past);
    m_noRows->setText(none);
    m_noRows->setVisible(!none.isEmpty());
}

// Shows a chart for values that change: turns and counts a minute, a sliding expiry, totals.
void PatternBody::showCharts(const PatternState& pattern)
{
    const bool turns = pattern.rowsAre == Rows::Rotation;
    const bool counts = isCounter(pattern);
    m_pace->setVisible(turns || counts);
    m_left->setVisible(pattern.rowsAre == Rows::Trail || pattern.rowsAre == Rows::Results);
    m_holds->setVisible(pattern.rowsAre != Rows::Weights);
    m_span->setVisible(pattern.rowsAre != Rows::Weights);
    const QString unit = counts ? tr("since last taken") : mainUnit(pattern);
    const Titled titled{pattern.rowsAre, counts, unit};
    if (titled == m_titled)
        return;
    m_titled = titled;
    if (counts)
        m_holds->setTitle(tr("Count"), unit, Metric::Unit::Count);
    else if (pattern.rowsAre == Rows::Counts)
        m_holds->setTitle(tr("Active"), tr("users in the newest key"), Metric::Unit::Count);
    else
        m_holds->setTitle(tr("Holds"), unit, Metric::Unit::Count);
    m_pace->setTitle(turns ? tr("Rotations per minute") : tr("Counts per minute"),
                     tr("at least, over the last minute"), Metric::Unit::Count);
    m_left->setTitle(tr("Time left"),
                     pattern.rowsAre == Rows::Trail ? tr("restarts with each page")
                                                    : tr("until it is rebuilt"),
                     Metric::Unit::Milliseconds);
}

} // namespace

DetailBody* makePatternBody()
{
    return new PatternBody;
}

} // namespace lk
