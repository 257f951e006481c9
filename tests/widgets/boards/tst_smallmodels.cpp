// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/topology/keyslot.h"
#include "tests/support/handles.h"
#include "tests/support/testprogram.h"
#include "widgets/detail/jobs/jobtable.h"
#include "widgets/detail/slotspread.h"
#include "widgets/detail/tables/consumertable.h"
#include "widgets/detail/tables/patterntable.h"
#include "widgets/overview/summarylist.h"

#include <QAbstractItemModelTester>
#include <QRandomGenerator>
#include <QSignalSpy>
#include <QTest>

#include <numeric>

using namespace lk;
using namespace lk::test;

namespace {

constexpr auto byQtTest = QAbstractItemModelTester::FailureReportingMode::QtTest;

Consumer consumer(int number)
{
    Consumer c;
    c.name = "consumer-" + QByteArray::number(number);
    c.key = "res:consumer:" + QByteArray::number(number);
    c.occupancy = number % 5;
    c.limit = 4;
    c.nextFreeMs = number % 3 == 0 ? 0 : number * 100;
    return c;
}

JobModel::List inProgress(const QueueState& queue, qint64 nowMs)
{
    return {JobRole::Processing, nowMs, queue.stuckAfterMs, queue.stuckByLibrary};
}

// Jobs whose ids count up from that one.
JobPage pageOf(qint64 offset, int count, int firstId)
{
    JobPage page;
    page.offset = offset;
    for (int i = 0; i < count; ++i) {
        StoredJob job;
        job.facts.id = QByteArray::number(firstId + i);
        page.jobs.push_back(queueJobOf(job));
    }
    return page;
}

QueueState queueOf(int first, int count)
{
    QueueState queue;
    queue.stuckAfterMs = 10'000;
    for (int i = first; i < first + count; ++i) {
        QueueJob item;
        item.preview = "{\"id\":" + QByteArray::number(i) + '}';
        item.size = 2000;
        item.firstSeenMs = i * 1000;
        queue.items.push_back(item);
    }
    return queue;
}

SummaryItem summaryItem(Handle handle, const QString& reason)
{
    auto primitive = std::make_shared<Primitive>();
    primitive->kind = Kind::Lock;
    primitive->id = {"set-nx-px", "lock:" + QByteArray::number(handle.index)};
    auto state = std::make_shared<State>();
    state->primitive = primitive;
    state->body = LockState();
    return {handle, state, reason};
}

/// Sizes that grow, shrink, go to none and come back.
QList<int> sizes()
{
    QList<int> all{0, 5, 2, 9, 0, 0, 1, 7, 7};
    QRandomGenerator random(7);
    for (int i = 0; i < 100; ++i)
        all << random.bounded(20);
    return all;
}

} // namespace

class TestSmallModels : public QObject
{
    Q_OBJECT

private slots:
    void patternRows()
    {
        PatternModel model;
        QAbstractItemModelTester tester(&model, byQtTest);
        int kind = 0;
        for (const int count : sizes()) {
            PatternState pattern;
            pattern.rowsAre = PatternState::Rows(kind++ % 7);
            for (int i = 0; i < count; ++i) {
                const auto value = i % 3 == 0 ? std::nullopt : std::optional(double(i));
                pattern.rows.push_back({QByteArray::number(i), value, 8});
            }
            model.setPattern(pattern);
            QCOMPARE(model.rowCount(), count);
            const bool newestFirst = pattern.rowsAre == PatternState::Rows::Counts;
            for (int row = 0; row < count; ++row)
                QCOMPARE(model.index(row, PatternModel::LabelColumn).data().toInt(),
                         newestFirst ? count - 1 - row : row);
        }
    }

    void consumers()
    {
        ConsumerModel model;
        QAbstractItemModelTester tester(&model, byQtTest);
        int first = 0;
        for (const int count : sizes()) {
            std::vector<Consumer> some;
            ++first; // none stays in its row
            for (int i = first; i < first + count; ++i)
                some.push_back(consumer(i));
            model.setConsumers(some, 0);
            QCOMPARE(model.rowCount(), count);
            for (int row = 0; row < count; ++row)
                QCOMPARE(model.index(row, 0).data().toByteArray(), some[size_t(row)].name);
        }
    }

    // A line may tell of another one a moment later: what a person went to is not swapped for it.
    void aListStaysOnItsItem()
    {
        SummaryList list(SummaryList::Show::Reason, QStringLiteral("Needs attention"), {});
        list.setItems({summaryItem(1_h, {}), summaryItem(2_h, {}), summaryItem(3_h, {})});
        list.setCurrentIndex(list.model()->index(1, 0));
        const auto current = [&] { return list.currentIndex().data(SummaryModel::HandleRole); };
        list.setItems({summaryItem(4_h, {}), summaryItem(1_h, {}), summaryItem(2_h, {}),
                       summaryItem(3_h, {})});
        QCOMPARE(current(), QVariant::fromValue(2_h));
        list.setItems({summaryItem(4_h, {}), summaryItem(1_h, {}), summaryItem(3_h, {})});
        QVERIFY(!list.currentIndex().isValid());
        list.setItems({summaryItem(3_h, {}), summaryItem(4_h, {})});
        QVERIFY(!list.currentIndex().isValid());
        list.setItems({summaryItem(3_h, {}), summaryItem(2_h, {})});
        QCOMPARE(current(), QVariant::fromValue(2_h));
    }

    void consumersInWords()
    {
        ConsumerModel model;
        Consumer unknown = consumer(1);
        unknown.limit.reset();
        unknown.nextFreeMs.reset();
        model.setConsumers({consumer(3), consumer(7), unknown}, 0);
        QCOMPARE(model.index(0, 2).data().toString(), QStringLiteral("now"));
        QCOMPARE(model.index(1, 2).data().toString(), QStringLiteral("700 ms"));
        QCOMPARE(model.index(2, 2).data().toString(), QStringLiteral("\u2013"));
        QCOMPARE(model.index(0, 1).data(Qt::AccessibleTextRole).toString(), QStringLiteral("3/4"));
        QCOMPARE(model.index(2, 1).data(Qt::AccessibleTextRole).toString(), QStringLiteral("1/?"));
        QCOMPARE(model.index(0, 0).data(Qt::ToolTipRole).toString(),
                 QStringLiteral("res:consumer:3"));
    }

    // As in the document: the braces decide, wherever they stand.
    void slotsOfConsumers()
    {
        Primitive primitive;
        primitive.keys = {{"resource", "z:rl:resource:12{12}"},
                          {"consumer:1", "z:rl:resource:12:{12}consumer:1"},
                          {"consumer:2", "z:rl:resource:12:consumer:2"}};
        const SlotSpread spread = SlotSpread::of(primitive);
        QCOMPARE(spread.main, keySlot("12"));
        QCOMPARE(spread.keys, 3);
        QCOMPARE(spread.apart, 1);
        QCOMPARE(spread.used, 2);
        QCOMPARE(std::accumulate(spread.bins.begin(), spread.bins.end(), 0), 3);
        QVERIFY(spread.summary().contains(QString::number(spread.main)));
        QVERIFY(spread.summary().contains(QStringLiteral("rejected")));
        primitive.keys.pop_back();
        QVERIFY(!SlotSpread::of(primitive).summary().contains(QStringLiteral("rejected")));
        primitive.keys.resize(SlotSpread::mostKeys + 2, {"consumer:9", "z{12}"});
        QCOMPARE(SlotSpread::of(primitive).keys, int(SlotSpread::mostKeys));
        QVERIFY(SlotSpread::of(primitive).cut);

        ConsumerModel model;
        Consumer near = consumer(1);
        near.key = "z:rl:resource:12:{12}consumer:1";
        Consumer far = consumer(2);
        far.key = "z:rl:resource:12:consumer:2";
        model.setConsumers({near, far}, spread.main);
        QCOMPARE(model.index(0, 3).data().toString(), QString::number(spread.main));
        QCOMPARE(model.index(1, 3).data(Qt::AccessibleTextRole).toString(),
                 QStringLiteral("%1, different").arg(keySlot(far.key)));
        QVERIFY(!model.index(0, 3).data(Qt::DecorationRole).isValid());
        QVERIFY(model.index(1, 3).data(Qt::DecorationRole).isValid());
    }

    void jobs()
    {
        JobModel model;
        QAbstractItemModelTester tester(&model, byQtTest);
        int first = 0;
        for (const int count : sizes()) {
            const QueueState queue = queueOf(++first, count);
            model.setJobs(inProgress(queue, 60'000), queue.items);
            QCOMPARE(model.rowCount(), count);
            for (int row = 0; row < count; ++row)
                QCOMPARE(model.index(row, JobModel::PayloadColumn).data().toByteArray(),
                         queue.items[size_t(row)].preview);
        }
    }

    // Only a few of 100,000 jobs are known. Jobs that have moved are not shown at their old place.
    void pagesOfJobs()
    {
        JobModel model;
        QAbstractItemModelTester tester(&model, byQtTest);
        const JobModel::List list{JobRole::Dead, 60'000, 0, true};
        model.setPage(list, 100'000, pageOf(0, 100, 0));
        QCOMPARE(model.rowCount(), 100'000);
        QCOMPARE(model.firstUnread(0, 20), -1);
        QCOMPARE(model.firstUnread(90, 120), 100);
        QCOMPARE(model.index(5, JobModel::IdColumn).data().toString(), QStringLiteral("5"));
        QCOMPARE(model.index(99'999, JobModel::IdColumn).data().toString(),
                 QStringLiteral("\u2026"));
        model.setPage(list, 100'000, pageOf(100, 100, 100));
        QCOMPARE(model.readRows(), 200);
        // One came in before all others.
        model.setPage(list, 100'001, pageOf(100, 100, 99));
        QCOMPARE(model.rowCount(), 100'001);
        QCOMPARE(model.firstUnread(0, 20), 0);
        QCOMPARE(model.index(100, JobModel::IdColumn).data().toString(), QStringLiteral("99"));
        for (int page = 2; page < 60; ++page)
            model.setPage(list, 100'001, pageOf(page * 100, 100, page * 100 - 1));
        QVERIFY2(model.readRows() <= 3200, qPrintable(QString::number(model.readRows())));
        model.setPage(list, 3, pageOf(0, 3, 0));
        QCOMPARE(model.rowCount(), 3);
    }

    void jobsInWords()
    {
        JobModel model;
        QueueState queue = queueOf(45, 10); // first seen at 45 s to 54 s
        queue.items.back().firstSeenMs.reset();
        queue.items.back().preview = QByteArray("\x00\xff tail", 7);
        model.setJobs(inProgress(queue, 56'000), queue.items);
        QCOMPARE(model.index(0, JobModel::TimeColumn).data().toString(),
                 QStringLiteral("11 s, stuck"));
        QCOMPARE(model.index(1, JobModel::TimeColumn).data().toString(),
                 QStringLiteral("10 s, stuck"));
        QCOMPARE(model.index(2, JobModel::TimeColumn).data().toString(), QStringLiteral("9 s"));
        QVERIFY(model.index(1, JobModel::TimeColumn).data(Qt::DecorationRole).isValid());
        QVERIFY(!model.index(2, JobModel::TimeColumn).data(Qt::DecorationRole).isValid());
        QCOMPARE(model.index(9, JobModel::TimeColumn).data().toString(), QStringLiteral("\u2013"));
        QCOMPARE(model.index(9, JobModel::PayloadColumn).data().toString(),
                 QStringLiteral("\\x00\\xff tail"));
        QCOMPARE(model.index(9, JobModel::NumberColumn).data().toInt(), 10);
        QCOMPARE(model.index(0, JobModel::SizeColumn).data().toString(), QStringLiteral("2.0 kB"));
    }

    void summaryLines()
    {
        SummaryModel model;
        QAbstractItemModelTester tester(&model, byQtTest);
        int first = 0;
        for (const int count : sizes()) {
            std::vector<SummaryItem> lines;
            ++first;
            for (int i = first; i < first + count; ++i)
                lines.push_back(summaryItem(Handle(quint32(i)), QStringLiteral("no lease")));
            model.setItems(lines);
            QCOMPARE(model.rowCount(), count);
            for (int row = 0; row < count; ++row) {
                QCOMPARE(model.index(row, 0).data(SummaryModel::HandleRole).value<Handle>(),
                         Handle(quint32(first + row)));
                QCOMPARE(model.index(row, 0).data().toString(),
                         QStringLiteral("lock:%1: no lease").arg(first + row));
            }
        }
    }

    // Lines come and go above it; the selected primitive stays selected until it is gone itself.
    void digestListKeepsItsSelection()
    {
        SummaryList list(SummaryList::Show::Reason, QStringLiteral("list"), {});
        const auto give = [&](std::initializer_list<Handle> handles) {
            std::vector<SummaryItem> lines;
            for (const Handle handle : handles)
                lines.push_back(summaryItem(handle, QStringLiteral("why")));
            list.setItems(lines);
        };
        const auto selected = [&] {
            const QModelIndexList some = list.selectionModel()->selectedIndexes();
            return some.isEmpty() ? noHandle
                                  : some.front().data(SummaryModel::HandleRole).value<Handle>();
        };
        give({1_h, 2_h, 3_h});
        list.setCurrentIndex(list.model()->index(2, 0));
        QCOMPARE(selected(), 3_h);
        for (const auto& handles :
             {std::initializer_list<Handle>{3_h, 1_h, 2_h}, {9_h, 8_h, 7_h, 3_h}, {3_h}}) {
            give(handles);
            QCOMPARE(selected(), 3_h);
        }
        give({1_h, 2_h});
        QCOMPARE(selected(), noHandle);
    }

    void digestListIsLeftByDoubleClickAndReturn()
    {
        SummaryList list(SummaryList::Show::Reason, QStringLiteral("list"), {});
        list.setItems(
            {summaryItem(5_h, QStringLiteral("a")), summaryItem(6_h, QStringLiteral("b"))});
        list.resize(300, 200);
        list.show();
        QVERIFY(QTest::qWaitForWindowActive(&list));
        QSignalSpy chosen(&list, &SummaryList::chosen);
        const QPoint second = list.visualRect(list.model()->index(1, 0)).center();
        QTest::mouseClick(list.viewport(), Qt::LeftButton, {}, second);
        QCOMPARE(chosen.size(), 0);
        QTest::mouseDClick(list.viewport(), Qt::LeftButton, {}, second);
        QCOMPARE(chosen.size(), 1); // once, though a double click activates as well
        QCOMPARE(chosen[0][1].value<Handle>(), 6_h);
        QTest::keyClick(&list, Qt::Key_Return);
        QCOMPARE(chosen.size(), 2);
    }
};

LK_WIDGET_TEST(TestSmallModels);
#include "tst_smallmodels.moc"
