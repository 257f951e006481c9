// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/core/task.h"
#include "tests/support/testprogram.h"

#include <QTest>

#include <deque>

using namespace lk;

namespace {

/// Requests that are answered by hand, in their order.
class Requests final
{
public:
    Awaited<int> next()
    {
        return Awaited<int>([this](auto then) { m_open.push_back(then); });
    }
    size_t open() const { return m_open.size(); }
    void answer(int value)
    {
        const auto then = std::move(m_open.front());
        m_open.pop_front();
        then(value);
    }
    void drop() { m_open.clear(); }

private:
    std::deque<std::function<void(int)>> m_open;
};

Task<int> sumOf(Requests& requests, int count, std::shared_ptr<int> held)
{
    int sum = *held;
    for (int i = 0; i < count; ++i) {
        const int value = co_await requests.next();
        sum += value;
    }
    co_return sum;
}

Task<int> twice(Requests& requests, std::shared_ptr<int> held)
{
    const int first = co_await sumOf(requests, 2, held);
    const int second = co_await sumOf(requests, 1, held);
    co_return first* second;
}

Task<> steps(QObject* context, QList<int>& done)
{
    done << 1;
    co_await nextTurn(context);
    done << 2;
    co_await pauseFor(1, context);
    done << 3;
}

} // namespace

/// A task goes from step to step, and ends with the handler that it waits for.
class TestTask : public QObject
{
    Q_OBJECT

private slots:
    void goesOnWithEachAnswer();
    void endsWithADroppedHandler();
    void isDestroyedIfItNeverBegins();
    void needsNoAnswers();
    void stopsWithItsContext();
};

void TestTask::goesOnWithEachAnswer()
{
    Requests requests;
    std::optional<int> result;
    const auto held = std::make_shared<int>(1);
    launch(twice(requests, held), [&](int value) { result = value; });
    for (const int value : {2, 3, 4}) {
        QVERIFY(!result);
        QCOMPARE(requests.open(), 1U);
        requests.answer(value);
    }
    QCOMPARE(result, 30);
    QCOMPARE(requests.open(), 0U);
    QCOMPARE(held.use_count(), 1);
}

void TestTask::endsWithADroppedHandler()
{
    Requests requests;
    bool ended = false;
    const auto held = std::make_shared<int>(1);
    launch(twice(requests, held), [&](int) { ended = true; });
    requests.answer(2);
    QVERIFY(held.use_count() > 1);
    requests.drop();
    QCOMPARE(held.use_count(), 1);
    QVERIFY(!ended);
}

void TestTask::isDestroyedIfItNeverBegins()
{
    Requests requests;
    const auto held = std::make_shared<int>(1);
    {
        const Task<int> never = twice(requests, held);
        QCOMPARE(requests.open(), 0U);
    }
    QCOMPARE(held.use_count(), 1);
}

void TestTask::needsNoAnswers()
{
    Requests requests;
    std::optional<int> result;
    launch(sumOf(requests, 0, std::make_shared<int>(7)), [&](int value) { result = value; });
    QCOMPARE(result, 7);
}

void TestTask::stopsWithItsContext()
{
    QList<int> all;
    QList<int> some;
    QObject stays;
    auto goes = std::make_unique<QObject>();
    launch(steps(&stays, all));
    launch(steps(goes.get(), some));
    QCOMPARE(all, (QList<int>{1}));
    goes.reset();
    QTRY_COMPARE(all, (QList<int>{1, 2, 3}));
    QCOMPARE(some, (QList<int>{1}));
}

LK_TEST(TestTask);
#include "tst_task.moc"
