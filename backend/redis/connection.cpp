// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/connection.h"

#include "backend/redis/handshake.h"
#include "backend/redis/protocol/commandformat.h"
#include "backend/redis/protocol/replyreader.h"
#include "backend/redis/retrypause.h"
#include "backend/redis/server/capabilities.h"
#include "backend/redis/transport.h"

#include <algorithm>
#include <array>

namespace lk {

namespace {

using Phase = ConnectionStatus::Phase;

// The time for replies in one turn of the event loop (milliseconds), and how often it is checked
// (every so many replies or slices of input).
constexpr qint64 turnMs = 5;
constexpr int turnCheck = 16;

constexpr int tlsAlert = 0x15; // the first byte of a TLS alert

constexpr int sshTimeouts = 3; // the connect timeout's multiple through a jump host

constexpr int firstPauseMs = 250;
constexpr int longestPauseMs = 15'000;
constexpr qint64 steadyMs = 5000; // a connection lost sooner counts as short-lived
// Counts connections in a row that logged in and brought no reply, or did not last. The pause grows
// to two seconds, as several values may be too large. After mostFruitless without a reply the user
// has to reconnect.
constexpr int slowed = 4; // tries
constexpr int mostFruitless = 30;

bool isSubscribe(const Command& command)
{
    const QByteArray& name = command.args().front();
    constexpr qsizetype length = 9; // of the shorter name; nearly all others are shorter still
    return name.size() >= length && (name.compare("subscribe", Qt::CaseInsensitive) == 0 ||
                                     name.compare("psubscribe", Qt::CaseInsensitive) == 0);
}

bool isMessage(const Reply& reply)
{
    if (!reply.isArray() || reply.items.empty())
        return false;
    const QByteArray& what = reply.items.front().text;
    return what == "message" || what == "pmessage";
}

void failLater(QObject* context, BatchHandler handler, const Error& error)
{
    QMetaObject::invokeMethod(
        context, [handler = std::move(handler), error] { handler(tl::unexpected<Error>(error)); },
        Qt::QueuedConnection);
}

// Commands that this server's version lacks are not sent.
std::vector<size_t> lackingIn(const ServerInfo& greeting, const std::vector<Command>& commands)
{
    const bool common = std::none_of(commands.begin(), commands.end(),
                                     [](const Command& command) { return featureOf(command); });
    return common ? std::vector<size_t>() : lackingCommands(serverVersion(greeting), commands);
}

// Returns the other commands of a batch, and a handler that inserts a server's reply to an unknown
// command for those left out.
std::pair<std::vector<Command>, BatchHandler> withoutThese(const std::vector<size_t>& lacking,
                                                           const std::vector<Command>& commands,
                                                           BatchHandler handler)
{
    std::vector<Command> rest;
    std::vector<Reply> all(commands.size());
    std::vector<size_t> places;
    for (size_t i = 0; i < commands.size(); ++i) {
        if (std::binary_search(lacking.begin(), lacking.end(), i)) {
            all[i] = lackingReply(commands[i]);
        } else {
            rest.push_back(commands[i]);
            places.push_back(i);
        }
    }
    BatchHandler merged = [all = std::move(all), places = std::move(places),
                           handler = std::move(handler)](BatchResult result) {
        if (!result)
            return handler(std::move(result));
        std::vector<Reply> replies = all;
        for (size_t i = 0; i < places.size(); ++i)
            replies[places[i]] = std::move((*result)[i]);
        handler(std::move(replies));
    };
    return {std::move(rest), std::move(merged)};
}

} // namespace

Connection::Connection(ServerUrl url, Options options, QObject* parent)
    : Link(parent)
    , m_url(std::move(url))
    , m_options(std::move(options))
    , m_connectTimer(this)
    , m_retryTimer(this)
    , m_deadlineTimer(this)
    , m_continueTimer(this)
{
    m_clock.start();
    for (QTimer* timer : {&m_connectTimer, &m_retryTimer, &m_deadlineTimer, &m_continueTimer})
        timer->setSingleShot(true);
    connect(&m_connectTimer, &QTimer::timeout, this, &Connection::connectTimedOut);
    connect(&m_retryTimer, &QTimer::timeout, this, &Connection::connectNow);
    connect(&m_deadlineTimer, &QTimer::timeout, this, &Connection::checkDeadline);
    connect(&m_continueTimer, &QTimer::timeout, this, [this] { readReplies(false); });
}

Connection::Connection(ServerUrl url, QObject* parent)
    : Connection(std::move(url), Options{}, parent)
{}

Connection::~Connection()
{
    drop({ErrorCode::Cancelled, {}});
}

void Connection::open()
{
    if (m_status.phase == Phase::Closed)
        connectNow();
}

void Connection::close()
{
    drop({ErrorCode::Cancelled, {}});
    m_status.attempt = 0;
    setPhase(Phase::Closed);
}

void Connection::retryNow()
{
    m_fruitless = 0;
    if (m_status.phase == Phase::Lost)
        connectNow();
}

void Connection::setPassword(const QString& user, const QString& password)
{
    m_url.user = user;
    m_url.password = password;
}

void Connection::setPhase(Phase phase)
{
    ConnectionStatus next = m_status;
    next.phase = phase;
    if (phase != Phase::Lost) {
        next.error = {};
        next.nextTryInMs = 0;
    }
    if (next == m_status)
        return;
    m_status = next;
    emit statusChanged(next);
}

void Connection::connectNow()
{
    m_retryTimer.stop();
    m_connectTimer.start(m_options.connectTimeoutMs * (m_url.sshJump.isEmpty() ? 1 : sshTimeouts));
    m_reader = std::make_unique<ReplyReader>(
        ReplyReader::Limits{m_options.maxReplyBytes, m_options.maxElements});
    m_transport = new Transport(m_url, this);
    m_firstByte = -1;
    const quint64 epoch = m_epoch;
    connect(m_transport, &Transport::resolved, this, [this] { setPhase(Phase::Connecting); });
    connect(m_transport, &Transport::connected, this, &Connection::startHandshake);
    connect(m_transport, &Transport::readyRead, this, [this] { readReplies(false); });
    // Queued, so that a write that fails inside send() is also handled from the event loop.
    connect(
        m_transport, &Transport::failed, this,
        [this, epoch](const Error& error) {
            if (epoch != m_epoch)
                return;
            const QPointer<Connection> self(this);
            readReplies(true); // its last reply may be the reason
            if (!self || epoch != m_epoch)
                return;
            const bool unanswered = error.code == ErrorCode::ServerClosed && m_firstByte < 0 &&
                                    m_url.scheme == ServerUrl::Scheme::Tcp;
            lose(unanswered ? Error{error.code, m_url.endpoint()} : error);
        },
        Qt::QueuedConnection);
    ++m_status.attempt;
    const QPointer<Transport> transport(m_transport);
    setPhase(Phase::Resolving);
    if (transport && transport == m_transport)
        transport->open();
}

void Connection::startHandshake()
{
    m_greeting = {};
    m_noTouch = false;
    sayAll(handshakeCommands(m_url, m_options.clientName));
    setPhase(Phase::Authenticating);
}

void Connection::sayAll(std::vector<Command> handshake)
{
    m_handshake = std::move(handshake);
    QByteArray bytes;
    appendCommands(bytes, m_handshake);
    write(bytes, m_handshake.size());
    std::reverse(m_handshake.begin(), m_handshake.end()); // taken from the back
}

void Connection::takeHandshakeReply(const Reply& reply)
{
    if (m_handshake.empty())
        return lose({ErrorCode::Protocol, tr("a greeting that no Redis server sends")});
    const Command sent = std::move(m_handshake.back());
    m_handshake.pop_back();
    const QByteArray& name = sent.args().front();
    if (const std::optional<Error> problem = handshakeProblem(sent, reply, m_greeting))
        return lose(*problem);
    if (name == "INFO")
        m_greeting = ServerInfo::fromReply(reply);
    else if (name == "ROLE")
        m_greeting.addRole(reply);
    else if (name == "CLIENT" && sent.args()[1] == "NO-TOUCH")
        m_noTouch = !reply.isError();
    if (!m_handshake.empty())
        return;
    if (name == "PING" && m_options.access == Access::ReadOnly) { // the last of the first part
        const std::vector<Command> more = readerCommands(m_url, m_greeting);
        if (!more.empty())
            return sayAll(more);
    }
    m_connectTimer.stop();
    m_status.attempt = 0;
    ++m_status.generation;
    m_readySince.start();
    m_answered = false;
    setPhase(Phase::Ready);
}

void Connection::write(const QByteArray& bytes, size_t commands)
{
    m_traffic.commands += qint64(commands);
    m_traffic.bytesSent += bytes.size();
    m_transport->write(bytes);
}

void Connection::send(const std::vector<Command>& commands, QObject* context, BatchHandler handler)
{
    if (m_options.access == Access::Free || areReadOnly(commands))
        return sendBatch(commands, context, std::move(handler));
    failLater(context ? context : this, std::move(handler), {ErrorCode::SessionReadOnly, {}});
}

void Connection::sendActing(const std::vector<Command>& commands, QObject* context,
                            BatchHandler handler)
{
    if (isWriteModeOn())
        return sendBatch(commands, context, std::move(handler));
    failLater(context ? context : this, std::move(handler), {ErrorCode::SessionReadOnly, {}});
}

void Connection::sendBatch(const std::vector<Command>& commands, QObject* context,
                           BatchHandler handler)
{
    if (!context)
        context = this;
    if (!isReady())
        return failLater(context, std::move(handler),
                         m_status.phase == Phase::Lost ? m_status.error
                                                       : Error{ErrorCode::Cancelled, {}});
    if (const std::vector<size_t> lacking = lackingIn(m_greeting, commands); !lacking.empty()) {
        auto [rest, merged] = withoutThese(lacking, commands, std::move(handler));
        if (!rest.empty())
            return sendBatch(rest, context, std::move(merged));
        QMetaObject::invokeMethod(
            context, [merged = std::move(merged)] { merged(std::vector<Reply>()); },
            Qt::QueuedConnection);
        return;
    }
    QByteArray bytes;
    if (commands.empty() || !appendCommands(bytes, commands))
        return failLater(context, std::move(handler),
                         {ErrorCode::BadArgument, tr("Commands that are empty or too large are "
                                                     "not sent")});
    if (m_pending.empty())
        m_progress.start();
    Pending& pending = m_pending.emplace_back();
    pending.expected = commands.size();
    pending.subscribesAt =
        size_t(std::find_if(commands.begin(), commands.end(), isSubscribe) - commands.begin());
    pending.sentNs = m_clock.nsecsElapsed();
    pending.context = context;
    pending.handler = std::move(handler);
    pending.replies.reserve(commands.size());
    if (!m_deadlineTimer.isActive())
        m_deadlineTimer.start(m_options.batchTimeoutMs);
    write(bytes, commands.size());
}

bool Connection::readMore()
{
    std::array<char, size_t(ReplyReader::sliceBytes)> slice;
    const qint64 size = m_transport->read(slice.data(), ReplyReader::sliceBytes);
    m_traffic.bytesReceived += size;
    if (size > 0 && m_firstByte < 0)
        m_firstByte = uchar(slice[0]);
    if (size > 0)
        m_reader->feed(QByteArrayView(slice.data(), size));
    return size > 0;
}

void Connection::readReplies(bool all)
{
    if (!m_transport)
        return;
    const QPointer<Connection> self(this);
    const quint64 epoch = m_epoch;
    QElapsedTimer turn;
    turn.start();
    bool heard = false;
    for (int count = 1;; ++count) {
        Reply reply;
        const Result<bool> complete = m_reader->next(reply);
        if (!complete)
            return lose(m_firstByte == tlsAlert ? Error{ErrorCode::TlsWanted, m_url.endpoint()}
                                                : complete.error());
        // Read the clock once per look at the socket.
        if (*complete && !std::exchange(heard, true))
            m_progress.start();
        if (*complete)
            takeReply(std::move(reply));
        if (!self || epoch != m_epoch) // the handler deleted, closed or lost this
            return;
        if (!*complete) {
            heard = false;
            if (!readMore())
                return;
        }
        if (!all && count % turnCheck == 0 && turn.elapsed() >= turnMs)
            return m_continueTimer.start(0);
    }
}

void Connection::takeReply(Reply reply)
{
    if (!isReady())
        return takeHandshakeReply(reply);
    if (m_subscribed && (m_pending.empty() || isMessage(reply))) {
        emit pushed(reply);
        return;
    }
    if (m_pending.empty())
        return lose({ErrorCode::Protocol, tr("a reply without a request")});
    Pending& oldest = m_pending.front();
    if (oldest.replies.size() == oldest.subscribesAt && reply.isArray())
        m_subscribed = true;
    oldest.bytes += m_reader->lastBytes();
    if (oldest.bytes > m_options.maxBatchBytes)
        return lose({ErrorCode::ReplyTooLarge,
                     tr("more than %1 bytes in one batch").arg(m_options.maxBatchBytes)});
    if (reply.isError())
        reply.text = withDeniedDatabase(reply.text, m_url.database);
    oldest.replies.push_back(std::move(reply));
    if (oldest.replies.size() < oldest.expected)
        return;
    Pending done = std::move(oldest);
    m_pending.pop_front();
    m_roundTripMs = double(m_clock.nsecsElapsed() - done.sentNs) / 1e6;
    m_fruitless = 0;
    m_answered = true;
    if (done.context)
        done.handler(std::move(done.replies));
}

void Connection::checkDeadline()
{
    if (m_pending.empty())
        return;
    const QPointer<Connection> self(this);
    const quint64 epoch = m_epoch;
    // This thread may have been slow, and the reply may be waiting already.
    if (m_progress.elapsed() >= m_options.batchTimeoutMs)
        readReplies(false);
    if (!self || epoch != m_epoch || m_pending.empty())
        return;
    const qint64 left = m_options.batchTimeoutMs - m_progress.elapsed();
    if (left > 0)
        return m_deadlineTimer.start(int(left));
    lose({ErrorCode::Timeout, tr("waiting for a reply from %1").arg(m_url.endpoint())});
}

void Connection::connectTimedOut()
{
    QString what = tr("connecting to %1").arg(m_url.endpoint());
    if (!m_url.sshJump.isEmpty() && m_transport && !m_transport->isReached())
        what = tr("logging in at the jump host %1").arg(m_url.sshJump);
    else if (m_status.phase == Phase::Resolving)
        what = tr("looking up %1").arg(m_url.host);
    else if (m_status.phase == Phase::Authenticating)
        what = tr("logging in at %1").arg(m_url.endpoint());
    else if (m_url.scheme == ServerUrl::Scheme::Tls && m_transport && m_transport->isReached())
        return lose({ErrorCode::NoTlsThere, m_url.endpoint()}); // taken for half a command
    lose({ErrorCode::Timeout, what});
}

void Connection::drop(const Error& error)
{
    ++m_epoch;
    for (QTimer* timer : {&m_connectTimer, &m_retryTimer, &m_deadlineTimer, &m_continueTimer})
        timer->stop();
    if (m_transport) {
        m_transport->disconnect(this);
        m_transport->abort();
        m_transport->deleteLater(); // it may be the caller
        m_transport = nullptr;
    }
    m_reader.reset();
    m_handshake.clear();
    m_subscribed = false;
    for (Pending& pending : std::exchange(m_pending, {})) {
        if (pending.context)
            failLater(pending.context, std::move(pending.handler), error);
    }
}

void Connection::lose(const Error& error)
{
    const bool wasReady = isReady();
    drop(error);
    const bool retry = m_options.reconnect && m_fruitless < mostFruitless &&
                       (wasReady ? isTransient(error) : mayRetryHandshake(error));
    m_status.error = error;
    if (wasReady && m_answered) // m_fruitless counts the others
        m_shortLived = m_readySince.elapsed() < steadyMs ? m_shortLived + 1 : 1;
    m_fruitless += wasReady ? 1 : 0;
    const int again = std::min(std::max(m_fruitless, m_shortLived), slowed);
    m_status.nextTryInMs =
        retry ? retryPause(std::max(m_status.attempt, again), firstPauseMs, longestPauseMs) : 0;
    if (retry)
        m_retryTimer.start(int(m_status.nextTryInMs));
    setPhase(Phase::Lost);
}

} // namespace lk
