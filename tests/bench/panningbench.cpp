// SPDX-License-Identifier: GPL-3.0-or-later
// bench_panning RESULTS.json [DAYS]
// The charts of a queue over a recording of a month, dragged from its end to its beginning with
// sixty moves of the mouse a second: how often they are drawn, and how long an event waits
// meanwhile.
#include "tests/bench/benchreport.h"
#include "tests/bench/loopprobe.h"

#include "backend/history/recordreader.h"
#include "backend/history/recordwriter.h"
#include "backend/libraries/api/layout.h"
#include "backend/session/endthread.h"
#include "backend/session/playback/playback.h"
#include "backend/session/playback/recordedhistory.h"
#include "backend/session/session.h"
#include "widgets/charts/time/timechart.h"
#include "widgets/detail/pane/detailpane.h"
#include "widgets/detail/seriesfeed.h"
#include "widgets/theme/theme.h"

#include <QElapsedTimer>
#include <QEventLoop>
#include <QMouseEvent>
#include <QTemporaryDir>
#include <QThread>

using namespace lk;
using namespace lk::bench;

namespace {

constexpr qint64 startMs = 1'700'000'000'000;
constexpr qint64 hourMs = 3'600'000;
constexpr qint64 stepMs = 10'000;
constexpr qint64 spanMs = 24 * hourMs;
constexpr int movesASecond = 60;
constexpr int pixelsPerMove = 8;
const RecordedDeployment deployment{"redis:bench:6379/0", {}, QStringLiteral("bench")};

PrimitivePtr queuePrimitive()
{
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = Kind::Queue;
    primitive->id = {"reliable-list", "jobs"};
    primitive->keys = {{"ready", "jobs"}, {"processing", "jobs:processing"}};
    primitive->confidence = 0.9;
    return primitive;
}

void recordMonth(const QString& path, ManualClock& clock, int days)
{
    RecordWriter writer({path, {}, &clock});
    writer.begin(deployment, clock.nowMs());
    const PrimitivePtr primitive = queuePrimitive();
    quint32 noise = 1;
    for (qint64 t = 0; t < days * 24 * hourMs; t += 60 * stepMs) {
        auto batch = std::make_shared<RecordBatch>();
        batch->deployment = deployment.key;
        for (int i = 0; i < 60; ++i) {
            clock.advance(stepMs);
            noise = noise * 1664525U + 1013904223U;
            QueueState queue;
            queue.ready = (noise >> 8) % 500;
            queue.processing = (noise >> 16) % 8;
            queue.states = {{"waiting", JobRole::Ready, queue.ready},
                            {"in-progress", JobRole::Processing, queue.processing}};
            auto state = std::make_shared<State>();
            state->primitive = primitive;
            state->asOfMs = clock.nowMs();
            state->health = Health::Ok;
            state->body = queue;
            for (const Metric& metric : metricsOf(*primitive)) {
                if (const auto value = metric.value(*state))
                    batch->samples.push_back(
                        {primitive->id, QByteArray(metric.id), clock.nowMs(), *value});
            }
            if (i == 59)
                batch->states.push_back({primitive, clock.nowMs(), std::move(state)});
        }
        batch->atMs = clock.nowMs();
        writer.add(batch);
        writer.flush();
        if (t % hourMs == 0)
            writer.ageAll();
    }
    writer.stop();
}

void spin(int ms)
{
    QEventLoop loop;
    QTimer::singleShot(ms, Qt::PreciseTimer, &loop, &QEventLoop::quit);
    loop.exec();
}

template<typename Condition> bool waitFor(Condition condition)
{
    for (int i = 0; i < 1500 && !condition(); ++i)
        spin(20);
    return condition();
}

/// The moments at which a plot was drawn.
class Frames final : public QObject
{
    Q_OBJECT

public:
    std::vector<double> gaps; ///< in milliseconds

public slots:
    void drawn()
    {
        if (m_last.isValid())
            gaps.push_back(double(m_last.nsecsElapsed()) / 1e6);
        m_last.start();
    }

private:
    QElapsedTimer m_last;
};

void send(QWidget& plot, QEvent::Type type, int x, Qt::MouseButtons buttons)
{
    const QPointF place(x, plot.height() / 2.0);
    QMouseEvent event(type, place, plot.mapToGlobal(place),
                      type == QEvent::MouseMove ? Qt::NoButton : Qt::LeftButton, buttons, {});
    QApplication::sendEvent(&plot, &event);
}

/// Drags from the present until the recording's beginning is visible. Returns the number of moves.
int dragBack(QWidget& plot, SeriesFeed& feed, qint64 untilMs)
{
    int moves = 0;
    const TimeView& view = feed.axis()->view();
    const int left = plot.width() / 4;
    const int right = plot.width() * 3 / 4;
    QElapsedTimer since; // each move has its moment: what one is late, the next is not
    since.start();
    while (view.fromMs() > untilMs) {
        send(plot, QEvent::MouseButtonPress, left, Qt::LeftButton);
        for (int x = left; x < right && view.fromMs() > untilMs; x += pixelsPerMove) {
            send(plot, QEvent::MouseMove, x, Qt::LeftButton);
            ++moves;
            const double leftMs = moves * 1000.0 / movesASecond - double(since.elapsed());
            spin(std::max(0, int(leftMs)));
        }
        send(plot, QEvent::MouseButtonRelease, right, Qt::NoButton);
    }
    return moves;
}

int measure(Report& report, const QString& path, ManualClock& clock)
{
    QThread io;
    QThread worker;
    io.start();
    worker.start();
    auto* reader = new RecordReader(path);
    reader->moveToThread(&io);
    Session::Setup setup;
    setup.ioThread = &io;
    setup.workerThread = &worker;
    setup.clock = &clock;
    int failed = 1;
    {
        Session live(setup);
        RecordedHistory history(*reader, path, deployment.key);
        live.setHistory(&history);
        waitFor([&] { return history.lastMs() > 0; });
        Session past(setup, history.makePlayback(clock.nowMs() - 60'000, {}), live);
        past.start();
        waitFor([&] { return past.states().begin() != past.states().end(); });
        const Handle handle = (*past.states().begin()).handle;
        DetailPane pane(Kind::Queue);
        pane.resize(560, 900);
        pane.setSession(&past);
        pane.QWidget::show();
        pane.setActive(true);
        pane.show(handle);
        auto* feed = pane.findChild<SeriesFeed*>();
        feed->axis()->setSpan(spanMs);
        TimeChart* chart = nullptr; // one that has numbers
        int charts = 0;
        waitFor([&] {
            charts = 0;
            for (auto* one : pane.findChildren<TimeChart*>()) {
                charts += one->isVisible();
                if (one->isVisible() && one->csv().trimmed().contains(QLatin1Char('\n')))
                    chart = one;
            }
            return chart != nullptr;
        });
        QWidget* plot = nullptr;
        for (auto* one : chart ? chart->findChildren<QWidget*>() : QList<QWidget*>())
            plot = one->inherits("QCustomPlot") ? one : plot;
        if (!plot)
            return std::fputs("the pane has no chart\n", stderr), 1;
        Frames frames;
        QObject::connect(plot, SIGNAL(afterReplot()), &frames, SLOT(drawn()));
        LoopProbe probe;
        probe.take();
        QElapsedTimer took;
        took.start();
        const int moves = dragBack(*plot, *feed, startMs + hourMs);
        const double seconds = double(took.elapsed()) / 1000;
        const std::vector<double> delays = probe.take();
        const double drawn = double(frames.gaps.size()) / seconds;
        report.row(QStringLiteral("%1 charts, %2 moves").arg(charts).arg(moves), {},
                   {{QStringLiteral("moves a second"), moves / seconds},
                    {QStringLiteral("drawn a second"), drawn},
                    {QStringLiteral("between two, median, ms"), median(frames.gaps)},
                    {QStringLiteral("99th percentile, ms"), percentile(frames.gaps, 0.99)}});
        report.row(QStringLiteral("delay of an event"), QStringLiteral("ms"),
                   {{QStringLiteral("median"), median(delays)},
                    {QStringLiteral("99th percentile"), percentile(delays, 0.99)},
                    {QStringLiteral("worst"), percentile(delays, 1)}});
        report.atMost(QStringLiteral("between two drawings, median"), median(frames.gaps),
                      1000.0 / 60 + 1, QStringLiteral("ms"));
        report.atMost(QStringLiteral("delay of an event, 99th percentile"),
                      percentile(delays, 0.99), 16, QStringLiteral("ms"));
        pane.setSession(nullptr);
        failed = 0;
    }
    reader->deleteLater();
    endThread(io);
    endThread(worker);
    return failed;
}

} // namespace

int main(int argc, char** argv)
{
    if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM"))
        qputenv("QT_QPA_PLATFORM", "offscreen");
    TimedApplication app(argc, argv);
    Theme theme(app);
    const int days = argc > 2 ? std::max(2, QByteArray(argv[2]).toInt()) : 30;
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("history.db"));
    ManualClock clock(startMs);
    recordMonth(path, clock, days);
    Report report(argc > 1 ? QString::fromLocal8Bit(argv[1]) : QString(),
                  QStringLiteral("panning"));
    const int failed = measure(report, path, clock);
    return report.save(QString()) ? failed : 1;
}

#include "panningbench.moc"
