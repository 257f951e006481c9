// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/session/sessionacting.h"
#include "backend/session/sessionjobs.h"
#include "widgets/detail/bodies/bodies.h"

#include "backend/text/jobstatetitle.h"
#include "backend/text/time/duration.h"
#include "widgets/charts/time/spanpicker.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/controls/inlinemessage.h"
#include "widgets/controls/labels/factgrid.h"
#include "widgets/controls/labels/figurerow.h"
#include "widgets/controls/panels/section.h"
#include "widgets/detail/autorequeueline.h"
#include "widgets/detail/jobs/jobpanel.h"
#include "widgets/detail/jobs/rows/failurelist.h"
#include "widgets/detail/jobs/rows/workerlist.h"
#include "widgets/detail/primitivefacts.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/detail/tables/waitinglist.h"
#include "widgets/theme/boxlayout.h"

#include <QCoreApplication>
#include <QLocale>

#include <algorithm>

namespace lk {

namespace {

int metricOf(const char* id)
{
    return metricIndex(Kind::Queue, id);
}

// Since the queue was first seen paused; earlier times are unknown.
QString pausedText(const State& state, const QueueState& queue);

// Each library has its own word for jobs that failed for good.
QString deadCaption(const QueueState& queue);

class QueueBody final : public DetailBody
{
    Q_DECLARE_TR_FUNCTIONS(lk::QueueBody)

public:
    explicit QueueBody(QWidget* parent = nullptr);

    void begin(Session& session, Handle handle) override;
    void showState(Session& session, Handle handle, const State& state) override;
    void showTime(Session& session, Handle handle, qint64 serverNowMs) override;
    JobChoice chosenJobs() const override { return m_group ? *m_group : m_jobs->chosen(); }
    bool setWide(bool wide) override;
    bool placeCharts(QWidget* charts) override;

private:
    void showParts(const State& state, const QueueState& queue, const Session& session);
    void showFigures(const State& state, const QueueState& queue);
    void showEventFigures(const State& state, const QueueState& queue);

    FigureRow* m_figures;
    SpanPicker* m_span;
    TimeChart* m_depth;
    TimeChart* m_flow;
    InlineMessage* m_notice;
    Section* m_jobsSection;
    JobPanel* m_jobs;
    Section* m_workersSection;
    WorkerList* m_workers;
    Section* m_failuresSection;
    FailureList* m_failures;
    AutoRequeueNotice* m_autoRequeue;
    Section* m_waitingSection;
    WaitingList* m_waiting;
    FactGrid* m_facts;
    SeriesFeed* m_feed;
    std::optional<JobChoice> m_group; ///< failed jobs, while an action is chosen for them
    bool m_isWide = false;            ///< the jobs have all the room
};

QueueBody::QueueBody(QWidget* parent)
    : DetailBody(parent)
    , m_figures(new FigureRow)
    , m_span(new SpanPicker)
    , m_depth(new TimeChart)
    , m_flow(new TimeChart)
    , m_notice(new InlineMessage)
    , m_jobsSection(new Section(tr("Jobs")))
    , m_jobs(new JobPanel)
    , m_workersSection(new Section(tr("Workers")))
    , m_workers(new WorkerList)
    , m_failuresSection(new Section(tr("Failures")))
    , m_failures(new FailureList)
    , m_autoRequeue(new AutoRequeueNotice)
    , m_waitingSection(new Section(tr("Blocked workers")))
    , m_waiting(new WaitingList)
    , m_facts(new FactGrid)
    , m_feed(new SeriesFeed(this))
{
    m_notice->hide();
    m_jobsSection->setBody(m_jobs);
    m_failuresSection->setBody(m_failures);
    m_workersSection->setBody(m_workers);
    m_waitingSection->setBody(m_waiting);
    columnIn(this, {}, 12,
             {m_figures,
              m_notice,
              m_jobsSection,
              m_failuresSection,
              m_workersSection,
              m_autoRequeue,
              {m_span, 0, Qt::AlignLeft},
              {m_depth, 3},
              {m_flow, 2},
              m_waitingSection,
              m_facts});
    m_depth->setTitle(tr("Depth"), tr("jobs"), Metric::Unit::Count);
    m_feed->add(m_depth, m_depth->addSeries(tr("waiting"), ColorRole::Accent), metricOf("ready"));
    m_feed->add(m_depth, m_depth->addSeries(tr("in progress"), ColorRole::Violet),
                metricOf("processing"));
    m_feed->add(m_depth, m_depth->addSeries(tr("delayed"), ColorRole::Teal), metricOf("delayed"));
    m_feed->add(m_depth, m_depth->addSeries(tr("dead letters"), ColorRole::Danger),
                metricOf("dead"));
    m_flow->setTitle(tr("Flow"), tr("jobs per second, at least"), Metric::Unit::Count);
    m_feed->add(m_flow, m_flow->addSeries(tr("in"), ColorRole::Accent, TimeChart::Shape::Line),
                metricOf("in"));
    m_feed->add(m_flow, m_flow->addSeries(tr("out"), ColorRole::Ok, TimeChart::Shape::Line),
                metricOf("out"));
    connect(m_jobs, &JobPanel::actionChosen, this, &DetailBody::actionChosen);
    connect(m_jobs, &JobPanel::wideWanted, this, &DetailBody::wideWanted);
    connect(m_failures, &FailureList::actionWanted, this,
            [this](const Action* action, const JobChoice& jobs) {
                m_group = jobs;
                emit actionChosen(action);
                m_group.reset();
            });
    connect(m_failures, &FailureList::wanted, this,
            [this](const QString& text) { m_jobs->showMatching(JobRole::Dead, text); });
    m_span->setAxis(m_feed->axis());
}

void QueueBody::begin(Session& session, Handle handle)
{
    m_feed->setSource(&session, handle);
    m_jobs->begin(session, handle);
    session.jobs().countFailures(noHandle);
}

void QueueBody::showState(Session& session, Handle handle, const State& state)
{
    const auto* queue = state.as<QueueState>();
    if (!queue)
        return;
    // Events are taken from a set: nothing is in processing, and so nothing is stuck.
    const bool hasItems = queue->processing.has_value() || state.problem;
    const bool more = queue->failuresRead < queue->dead.value_or(0) && !queue->failures.empty();
    session.jobs().countFailures(more ? handle : noHandle);
    showParts(state, *queue, session);
    if (hasItems)
        showFigures(state, *queue);
    else
        showEventFigures(state, *queue);
    m_jobs->showState(state);
    if (!m_isWide)
        m_autoRequeue->setQueue(session, state.primitive);
    m_waiting->setWaiting(session.jobs().waitingWorkers(), state);
    m_facts->setRows(primitiveFacts(state, session.report().map));
}

// With all the room for the jobs the rest waits.
void QueueBody::showParts(const State& state, const QueueState& queue, const Session& session)
{
    m_jobsSection->setVisible(!queue.states.empty());
    m_workersSection->setVisible(!m_isWide && WorkerList::says(queue));
    m_failuresSection->setVisible(!m_isWide && !queue.failures.empty());
    if (WorkerList::says(queue))
        m_workers->setQueue(queue, state.asOfMs);
    if (queue.failures.empty())
        return;
    m_failures->setQueue(queue, session.jobs().failures(), state.asOfMs);
    const std::vector<ActionOffer> offers =
        offersFor({std::make_shared<const State>(state)}, session.acting().limits());
    const auto retry = std::find_if(offers.begin(), offers.end(), [](const ActionOffer& offer) {
        return offer.action->id() == "queue.retry";
    });
    if (retry == offers.end())
        m_failures->setRetry(nullptr, {});
    else
        m_failures->setRetry(retry->action, retry->whyNot);
}

bool QueueBody::setWide(bool wide)
{
    if (wide && m_jobsSection->isHidden())
        return false; // its layout lists none
    static_cast<QBoxLayout*>(layout())->setStretchFactor(m_jobsSection, wide ? 1 : 0);
    m_isWide = wide;
    for (QWidget* part : std::initializer_list<QWidget*>{m_span, m_depth, m_flow, m_autoRequeue,
                                                         m_waitingSection, m_facts})
        part->setVisible(!wide);
    for (QWidget* part : {m_workersSection, m_failuresSection})
        part->setVisible(false); // until the next state
    m_jobs->setWide(wide);
    return true;
}

bool QueueBody::placeCharts(QWidget* charts)
{
    auto* column = static_cast<QBoxLayout*>(layout());
    column->insertWidget(column->indexOf(m_flow) + 1, charts);
    return true;
}

void QueueBody::showTime(Session&, Handle, qint64 serverNowMs)
{
    m_feed->refresh(serverNowMs);
}

void QueueBody::showFigures(const State& state, const QueueState& q)
{
    const QLocale locale;
    const auto count = [&](std::optional<qint64> n) {
        return n && !state.problem ? locale.toString(*n) : QStringLiteral("\u2013");
    };
    const std::vector<Figure> figures{
        {count(waitingJobs(q)), tr("waiting")},
        {count(q.processing), tr("in progress")},
        {count(q.stuck), tr("stuck"), q.stuck > 0 ? ColorRole::Danger : ColorRole::Text},
        {q.oldestProcessingMs ? formatDuration(*q.oldestProcessingMs) : QStringLiteral("\u2013"),
         tr("longest")},
        {count(q.delayed), tr("delayed")},
        {count(q.dead), deadCaption(q),
         q.dead.value_or(0) > 0 ? ColorRole::Warning : ColorRole::Text}};
    m_figures->setFigures(figures);
    const auto lateMs = state.problem ? std::nullopt : overdueMs(q, state.asOfMs);
    m_notice->setVisible(q.paused || lateMs || q.oldestReadyMs);
    if (q.paused)
        m_notice->setMessage(InlineMessage::Tone::Warning, pausedText(state, q));
    else if (lateMs)
        m_notice->setMessage(InlineMessage::Tone::Warning,
                             tr("%1 overdue, the first by %2: nothing moves them.")
                                 .arg(count(q.due.overdue), formatDuration(*lateMs)));
    else if (q.oldestReadyMs)
        m_notice->setMessage(InlineMessage::Tone::Hint,
                             tr("Longest-waiting job: %1").arg(formatDuration(*q.oldestReadyMs)));
}

void QueueBody::showEventFigures(const State& state, const QueueState& q)
{
    const auto count = [&](std::optional<qint64> n) {
        return n && !state.problem ? QLocale().toString(*n) : QStringLiteral("\u2013");
    };
    m_figures->setFigures(
        {{count(q.ready), tr("events waiting")}, {count(q.wakeUps), tr("wake-ups")}});
}

QString pausedText(const State& state, const QueueState& queue)
{
    const auto age = [&](qint64 sinceMs) {
        return formatDuration(std::max<qint64>(0, state.asOfMs - sinceMs));
    };
    if (queue.pausedSinceMs)
        return QCoreApplication::translate("lk::QueueBody",
                                           "Paused since %1, for %2: workers take no new jobs.")
            .arg(sinceText(*queue.pausedSinceMs, state.asOfMs), age(*queue.pausedSinceMs));
    return QCoreApplication::translate("lk::QueueBody",
                                       "Paused for at least %1: workers take no new jobs.")
        .arg(age(state.observed.sinceMs));
}

QString deadCaption(const QueueState& queue)
{
    for (const JobState& state : queue.states) {
        if (state.role == JobRole::Dead && state.name != "dead-lettered")
            return jobStateTitle(state).toLower();
    }
    return QCoreApplication::translate("lk::QueueBody", "dead letters");
}

} // namespace

DetailBody* makeQueueBody()
{
    return new QueueBody;
}

} // namespace lk
