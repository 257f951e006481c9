// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backend/demo/clients/recipe.h"
#include "backend/redis/topology/router.h"

#include <QElapsedTimer>
#include <QRandomGenerator>

#include <map>

namespace lk {

/// One program of the demo's workload: a connection with its own name (in a cluster one to each
/// master), its recipes, and timers. Lives in the thread that made it. The same seed gives the same
/// choices, but not the same timing.
class DemoClient : public QObject
{
    Q_OBJECT

public:
    DemoClient(ServerUrl url, QByteArray name, quint32 seed);
    ~DemoClient() override;

    void open();

signals:
    /// A script is not compiled in, or the server answered with an error.
    void problem(const lk::Error& error);

protected:
    using Answer = std::function<void(const Reply&)>;
    using Step = std::function<void()>;

    /// Called once, when the server first answers.
    virtual void begin() = 0;

    /// Runs a recipe of lua/recipes. Always calls the answer: with nil if there was no reply (no
    /// connection) or an error, so that a worker goes on.
    void run(const char* name, std::vector<QByteArray> keys, std::vector<QByteArray> args,
             Answer answer = {});
    void send(std::vector<Command> commands);
    /// Sends one command. Always calls the answer, as run() does.
    void ask(const Command& command, Answer answer);

    /// True on a cluster, where keys have other names; see clusteredName().
    bool isClustered() const { return m_clustered; }

    void after(int ms, Step step);
    /// Repeats the step, with pauses drawn uniformly from shortest to longest.
    void every(int shortestMs, int longestMs, const Step& step);

    int between(int lowest, int highest); ///< both included
    bool oneIn(int n) { return between(1, n) == 1; }
    bool chance(double probability) { return m_random.generateDouble() < probability; }
    QByteArray bytes(int count);
    QByteArray hex(int digits) { return bytes((digits + 1) / 2).toHex().left(digits); }
    template<typename List> const auto& oneOf(const List& list)
    {
        return list[size_t(between(0, int(list.size()) - 1))];
    }

    /// Swings between low and high with the period, highest at the start.
    double wave(double low, double high, int periodMs) const;

private:
    void askPlaced(Command command, Answer answer);
    Command placed(const Command& command) const;
    QByteArray placed(const QByteArray& key) const;

    Router m_link;
    bool m_clustered;
    std::map<QByteArray, Recipe>
        m_recipes; ///< a map, so that recipes keep their address while scripts run
    QRandomGenerator m_random;
    QElapsedTimer m_uptime;
    bool m_begun = false;
};

/// The decimal text of a number, for arguments.
inline QByteArray text(qint64 number)
{
    return QByteArray::number(number);
}

} // namespace lk
