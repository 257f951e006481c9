// SPDX-License-Identifier: GPL-3.0-or-later
//
// How the router sends a batch: a part to each node, replies back in the order of the commands.
#include "backend/redis/topology/keyslot.h"
#include "backend/redis/topology/router.h"
#include "backend/redis/topology/routingkey.h"

#include <algorithm>
#include <map>

namespace lk {

namespace {

constexpr int mostRedirects = 16;  // per command; a migrating slot takes a few
constexpr int directRedirects = 5; // after these it pauses between two
constexpr int laterMs = 50;        // before a retry when no known node answers
constexpr int joiningMs = 10;      // before the next check of a connecting node

void failLater(QObject* context, BatchHandler handler, const Error& error)
{
    QMetaObject::invokeMethod(
        context, [handler = std::move(handler), error] { handler(tl::unexpected<Error>(error)); },
        Qt::QueuedConnection);
}

// Errors that fail the whole batch, as with a single connection, because the request itself is the
// cause.
bool failsAll(const Error& error)
{
    return error.code == ErrorCode::ReplyTooLarge || error.code == ErrorCode::SessionReadOnly ||
           error.code == ErrorCode::BadArgument || error.code == ErrorCode::Protocol;
}

// The node is new and still connecting, so it does not count as down.
bool isJoining(const NodeLink& node)
{
    return !node.wasTried() && !node.hasLeft() &&
           node.status().phase != ConnectionStatus::Phase::Closed;
}

// Made here, not by a server: names the node that did not answer.
Reply nodeDownReply(const NodeLink& node)
{
    return Reply::error("NODEDOWN " + node.endpoint().toUtf8());
}

} // namespace

struct Router::Batch
{
    std::vector<Command> commands;
    std::vector<Reply> replies;
    std::vector<int> redirects; ///< redirects so far, for each command
    QPointer<QObject> context;
    BatchHandler handler;
    NodeLink* home;
    int underWay = 0; ///< parts without a reply yet
    /// While the cluster is down, one command at a time is retried. The commands that wait for it
    /// are sent when it succeeds.
    std::map<size_t, std::vector<size_t>> behind = {};
    std::optional<Error> failed;
};

void Router::send(const std::vector<Command>& commands, QObject* context, BatchHandler handler)
{
    if (!m_home)
        return failLater(context ? context : this, std::move(handler), m_status.error);
    sendFrom(*m_home, commands, context, std::move(handler));
}

void Router::sendFrom(NodeLink& home, const std::vector<Command>& commands, QObject* context,
                      BatchHandler handler)
{
    if (!context)
        context = this;
    if (!m_map)
        return home.connection().send(commands, context, std::move(handler));
    if (!isReady() && m_status.phase == ConnectionStatus::Phase::Lost)
        return failLater(context, std::move(handler), m_status.error);
    if (commands.empty())
        return failLater(context, std::move(handler), {ErrorCode::BadArgument, {}});
    const auto batch = std::make_shared<Batch>();
    batch->commands = commands;
    batch->replies.resize(commands.size());
    batch->redirects.resize(commands.size());
    batch->context = context;
    batch->handler = std::move(handler);
    batch->home = &home;
    std::map<NodeLink*, std::vector<size_t>> parts;
    std::vector<size_t> orphans; // commands for slots without a node
    for (size_t i = 0; i < commands.size(); ++i) {
        const std::optional<QByteArray> key = routingKey(commands[i]);
        NodeLink* node = key ? ownerOf(keySlot(*key)) : &home;
        if (node)
            parts[node].push_back(i);
        else
            orphans.push_back(i);
    }
    ++batch->underWay; // held until all parts are sent
    for (auto& [node, indexes] : parts)
        dispatch(batch, *node, std::move(indexes), false);
    if (!orphans.empty())
        followLater(batch, std::move(orphans));
    if (--batch->underWay == 0)
        QMetaObject::invokeMethod(
            this, [this, batch] { finish(batch); }, Qt::QueuedConnection);
}

void Router::dispatch(const BatchPtr& batch, NodeLink& node, std::vector<size_t> indexes, bool ask)
{
    if (isJoining(node))
        return dispatchLater(batch, node, std::move(indexes), ask);
    if (!node.isReady() && !failsAll(node.status().error)) {
        for (const size_t index : indexes)
            batch->replies[index] = nodeDownReply(node);
        return release(batch, indexes);
    }
    std::vector<Command> part;
    part.reserve(indexes.size() * (ask ? 2 : 1));
    for (const size_t index : indexes) {
        if (ask)
            part.push_back(Command{"ASKING"});
        part.push_back(batch->commands[index]);
    }
    ++batch->underWay;
    node.connection().send(
        part, this, [this, batch, &node, indexes = std::move(indexes), ask](BatchResult result) {
            take(batch, node, indexes, ask, std::move(result));
            if (--batch->underWay == 0)
                finish(batch);
        });
}

// Dispatches when the node is connected or known to be down. The time to connect is limited.
void Router::dispatchLater(const BatchPtr& batch, NodeLink& node, std::vector<size_t> indexes,
                           bool ask)
{
    ++batch->underWay;
    QTimer::singleShot(joiningMs, this, [this, batch, &node, indexes = std::move(indexes), ask] {
        dispatch(batch, node, indexes, ask);
        if (--batch->underWay == 0)
            finish(batch);
    });
}

void Router::take(const BatchPtr& batch, NodeLink& node, const std::vector<size_t>& indexes,
                  bool ask, BatchResult result)
{
    std::vector<size_t> later;
    if (!result) {
        if (failsAll(result.error()) || !m_open)
            batch->failed = result.error();
        for (const size_t index : indexes) {
            batch->replies[index] = nodeDownReply(node);
            if (node.hasLeft() && routingKey(batch->commands[index]))
                later.push_back(index); // another node has its slots now
        }
        if (!later.empty() && m_open)
            followLater(batch, std::move(later));
        return release(batch, indexes);
    }
    std::vector<Redirect> redirects;
    std::vector<size_t> refused; // because the cluster is down
    for (size_t i = 0; i < indexes.size(); ++i) {
        const size_t index = indexes[i];
        Reply& reply = (*result)[ask ? 2 * i + 1 : i];
        const std::optional<Redirect> redirect = redirectFor(*batch, node, index, reply);
        const bool isDown = reply.isError() && reply.text.startsWith("CLUSTERDOWN ");
        if (isDown && routingKey(batch->commands[index])) {
            batch->replies[index] = std::move(reply);
            refused.push_back(index);
        } else if (!redirect)
            batch->replies[index] = std::move(reply);
        else if (redirect->to)
            redirects.push_back(*redirect);
        else
            later.push_back(index);
    }
    if (!redirects.empty())
        follow(batch, redirects);
    if (!later.empty())
        followLater(batch, std::move(later));
    if (!refused.empty())
        awaitCluster(batch, std::move(refused));
    release(batch, indexes);
}

// If the cluster stays down, the replies received so far remain.
void Router::awaitCluster(const BatchPtr& batch, std::vector<size_t> indexes)
{
    const size_t first = indexes.front();
    std::vector<size_t>& behind = batch->behind[first];
    behind.insert(behind.end(), indexes.begin() + 1, indexes.end());
    if (batch->redirects[first] >= mostRedirects) {
        for (const size_t index : behind)
            batch->replies[index] = batch->replies[first];
        batch->behind.erase(first);
        return;
    }
    followLater(batch, {first});
}

// Sends the waiting commands once the commands that they wait for are answered or redirected.
void Router::release(const BatchPtr& batch, const std::vector<size_t>& indexes)
{
    std::vector<size_t> free;
    for (const size_t index : indexes) {
        const auto it = batch->behind.find(index);
        if (it == batch->behind.end() || batch->replies[index].text.startsWith("CLUSTERDOWN "))
            continue;
        free.insert(free.end(), it->second.begin(), it->second.end());
        batch->behind.erase(it);
    }
    if (!free.empty() && m_open)
        followLater(batch, std::move(free));
}

// Returns nothing if the reply is no redirection.
std::optional<Router::Redirect> Router::redirectFor(const Batch& batch, const NodeLink& node,
                                                    size_t index, const Reply& reply)
{
    if (!reply.isError() || batch.redirects[index] >= mostRedirects)
        return std::nullopt;
    if (!routingKey(batch.commands[index])) // no other node has it
        return std::nullopt;
    const QByteArrayList words = reply.text.split(' ');
    Redirect redirect;
    redirect.index = index;
    if (words.size() == 3 && (words[0] == "MOVED" || words[0] == "ASK")) {
        redirect.ask = words[0] == "ASK";
        redirect.to = nodeAt(words[2], node);
        bool isSlot = false;
        const int slot = words[1].toInt(&isSlot);
        if (!redirect.ask) {
            scheduleRefresh(0);
            if (redirect.to && isSlot && slot >= 0 && slot < clusterSlots)
                m_owners[size_t(slot)] = redirect.to;
        }
        if (!redirect.to)
            scheduleRefresh(0); // an unknown node
        if (batch.redirects[index] >= directRedirects && !redirect.ask)
            redirect.to = nullptr; // two may name each other until both know of the move
        return redirect;
    }
    if (words[0] == "TRYAGAIN" || words[0] == "CLUSTERDOWN") {
        scheduleRefresh(laterMs);
        return redirect;
    }
    return std::nullopt;
}

void Router::follow(const BatchPtr& batch, const std::vector<Redirect>& redirects)
{
    std::map<std::pair<NodeLink*, bool>, std::vector<size_t>> parts;
    for (const Redirect& redirect : redirects) {
        ++batch->redirects[redirect.index];
        parts[{redirect.to, redirect.ask}].push_back(redirect.index);
    }
    for (auto& [to, indexes] : parts)
        dispatch(batch, *to.first, std::move(indexes), to.second);
}

// Sends the commands later, to the nodes that the map names then.
void Router::followLater(const BatchPtr& batch, std::vector<size_t> indexes)
{
    ++batch->underWay;
    QTimer::singleShot(laterMs, this, [this, batch, indexes = std::move(indexes)] {
        std::vector<Redirect> redirects;
        std::vector<size_t> again;
        for (const size_t index : indexes) {
            NodeLink* owner = ownerOf(keySlot(*routingKey(batch->commands[index])));
            if (owner)
                redirects.push_back({index, owner, false});
            else if (++batch->redirects[index] < mostRedirects)
                again.push_back(index);
            else {
                batch->replies[index] = Reply::error("CLUSTERDOWN Hash slot not served");
                for (const size_t other : std::exchange(batch->behind[index], {}))
                    batch->replies[other] = batch->replies[index];
            }
        }
        follow(batch, redirects);
        if (!again.empty())
            followLater(batch, std::move(again));
        if (--batch->underWay == 0)
            finish(batch);
    });
}

void Router::finish(const BatchPtr& batch)
{
    if (!batch->context)
        return;
    if (batch->failed)
        batch->handler(tl::unexpected<Error>(*batch->failed));
    else
        batch->handler(std::move(batch->replies));
}

void Router::sendUnfollowed(const Command& command, QObject* context, BatchHandler handler)
{
    const std::optional<QByteArray> key = m_map ? routingKey(command) : std::nullopt;
    NodeLink* owner = key ? ownerOf(keySlot(*key)) : nullptr;
    if (owner)
        owner->connection().send({command}, context, std::move(handler));
    else
        send({command}, context, std::move(handler));
}

void Router::sendActing(const std::vector<Command>& commands, QObject* context,
                        BatchHandler handler)
{
    if (!m_home)
        return failLater(context ? context : this, std::move(handler), m_status.error);
    sendActingFrom(*m_home, commands, context, std::move(handler));
}

// Sends all commands to one node, as they may be sent only once. If that node refuses because the
// slot is elsewhere, the refusal is returned, and the action must be planned again.
void Router::sendActingFrom(NodeLink& home, const std::vector<Command>& commands, QObject* context,
                            BatchHandler handler)
{
    if (!context)
        context = this;
    NodeLink* node = m_map ? nullptr : &home;
    for (const Command& command : commands) {
        const std::optional<QByteArray> key = m_map ? routingKey(command) : std::nullopt;
        if (!key)
            continue;
        NodeLink* owner = ownerOf(keySlot(*key));
        if (!owner)
            return failLater(context, std::move(handler),
                             errorFromReply("CLUSTERDOWN Hash slot not served"));
        if (node && node != owner)
            return failLater(
                context, std::move(handler),
                {ErrorCode::BadArgument, tr("Commands for several nodes are not sent together")});
        node = owner;
    }
    node = node ? node : &home;
    if (m_map && !node->isReady() && isWriteModeOn())
        return failLater(context, std::move(handler), {ErrorCode::NodeDown, node->endpoint()});
    if (m_map && node->isReady() && node->greeting().isReplica())
        return failLater(context, std::move(handler),
                         {ErrorCode::SessionReadOnly, node->greeting().masterEndpoint()});
    node->connection().sendActing(
        commands, context,
        [router = QPointer(this), handler = std::move(handler)](const BatchResult& result) {
            const bool moved =
                result && std::any_of(result->begin(), result->end(), [](const Reply& reply) {
                    return reply.isError() &&
                           (reply.text.startsWith("MOVED ") || reply.text.startsWith("ASK "));
                });
            if (router && moved)
                router->scheduleRefresh(0);
            handler(result);
        });
}

} // namespace lk
