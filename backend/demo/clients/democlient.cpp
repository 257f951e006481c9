// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/demo/clients/democlient.h"

#include "backend/demo/clients/demonames.h"

#include <cmath>
#include <numbers>

namespace lk {

namespace {

Connection::Options options(QByteArray name)
{
    Connection::Options result;
    result.access = Connection::Access::Free;
    result.clientName = std::move(name);
    return result;
}

} // namespace

DemoClient::DemoClient(ServerUrl url, QByteArray name, quint32 seed)
    : m_link(url, options(std::move(name)))
    , m_clustered(url.deployment == ServerUrl::Deployment::Cluster)
    , m_random(seed)
{
    connect(&m_link, &Router::statusChanged, this, [this](const ConnectionStatus& status) {
        if (status.phase != ConnectionStatus::Phase::Ready || m_begun)
            return;
        m_begun = true;
        m_uptime.start();
        begin();
    });
}

DemoClient::~DemoClient()
{
    m_link.disconnect(this);
}

void DemoClient::open()
{
    m_link.open();
}

void DemoClient::run(const char* name, std::vector<QByteArray> keys, std::vector<QByteArray> args,
                     Answer answer)
{
    if (!answer)
        answer = [](const Reply&) {};
    auto known = m_recipes.find(name);
    const bool isFirst = known == m_recipes.end();
    if (isFirst) {
        Result<Recipe> read = Recipe::fromResource(name);
        if (!read) {
            emit problem(read.error());
            return;
        }
        known = m_recipes.emplace(name, std::move(*read)).first;
    }
    for (QByteArray& key : keys)
        key = placed(key);
    // Sends the whole script first: a script that the server does not know by its SHA would be
    // overtaken by other commands.
    const Recipe& recipe = known->second;
    if (isFirst || !recipe.script())
        return askPlaced(recipe.command(keys, args), std::move(answer));
    launch(runScript(m_link, *recipe.script(), std::move(keys), std::move(args), this),
           [this, answer = std::move(answer)](const Result<Reply>& reply) {
               const bool refused = reply && reply->isError();
               if (refused)
                   emit problem(errorFromReply(reply->text));
               answer(reply && !refused ? *reply : Reply::nil());
           });
}

QByteArray DemoClient::placed(const QByteArray& key) const
{
    return m_clustered ? clusteredName(key) : key;
}

// The demo's plain commands have their key first; RPOPLPUSH has two keys.
Command DemoClient::placed(const Command& command) const
{
    if (!m_clustered)
        return command;
    Command moved;
    for (size_t i = 0; i < command.args().size(); ++i) {
        const bool isKey = i == 1 || (i == 2 && command.args()[0] == "RPOPLPUSH");
        moved << (isKey ? placed(command.args()[i]) : command.args()[i]);
    }
    return moved;
}

void DemoClient::send(std::vector<Command> commands)
{
    for (Command& command : commands)
        command = placed(command);
    m_link.send(commands, this, [this](const BatchResult& replies) {
        if (!replies)
            return;
        for (const Reply& reply : *replies) {
            if (reply.isError())
                emit problem(errorFromReply(reply.text));
        }
    });
}

void DemoClient::ask(const Command& command, Answer answer)
{
    askPlaced(placed(command), std::move(answer));
}

void DemoClient::askPlaced(Command command, Answer answer)
{
    m_link.send({std::move(command)}, this,
                [this, answer = std::move(answer)](const BatchResult& replies) {
                    const bool any = replies && !replies->empty();
                    const bool refused = any && replies->front().isError();
                    if (refused)
                        emit problem(errorFromReply(replies->front().text));
                    answer(any && !refused ? replies->front() : Reply::nil());
                });
}

void DemoClient::after(int ms, Step step)
{
    QTimer::singleShot(ms, this, std::move(step));
}

void DemoClient::every(int shortestMs, int longestMs, const Step& step)
{
    after(between(shortestMs, longestMs), [=, this] {
        step();
        every(shortestMs, longestMs, step);
    });
}

int DemoClient::between(int lowest, int highest)
{
    return m_random.bounded(lowest, highest + 1);
}

QByteArray DemoClient::bytes(int count)
{
    QByteArray result(count, '\0');
    for (char& byte : result)
        byte = char(m_random.bounded(256));
    return result;
}

double DemoClient::wave(double low, double high, int periodMs) const
{
    const double turns = double(m_uptime.elapsed()) / periodMs;
    return low + (high - low) * (1 + std::cos(2 * std::numbers::pi * turns)) / 2;
}

} // namespace lk
