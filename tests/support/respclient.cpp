// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/respclient.h"

#include "backend/core/names/keyname.h"

namespace lk::test {

namespace {

constexpr int patienceMs = 10'000;

QByteArray encode(const Command& command)
{
    QByteArray bytes = '*' + QByteArray::number(qulonglong(command.args().size())) + "\r\n";
    for (const QByteArray& arg : command.args())
        bytes += '$' + QByteArray::number(arg.size()) + "\r\n" + arg + "\r\n";
    return bytes;
}

} // namespace

RespClient::RespClient(const QString& socketPath)
{
    m_socket.connectToServer(socketPath);
    m_socket.waitForConnected(patienceMs);
}

void RespClient::write(const Command& command)
{
    if (m_socket.state() != QLocalSocket::ConnectedState)
        return; // as read() says
    m_socket.write(encode(command));
    m_socket.flush();
}

Reply RespClient::read()
{
    Reply reply;
    for (;;) {
        const Result<bool> complete = m_reader.next(reply);
        if (!complete)
            return Reply::error("CLIENT " + complete.error().detail.toUtf8());
        if (*complete)
            return reply;
        if (!m_socket.isReadable())
            return Reply::error("CLIENT no reply: not connected");
        if (m_socket.bytesAvailable() == 0 && !m_socket.waitForReadyRead(patienceMs))
            return Reply::error("CLIENT no reply: " + m_socket.errorString().toUtf8());
        if (!m_socket.isReadable()) // closed by the other end while it was waited for
            return Reply::error("CLIENT no reply: the connection is closed");
        m_reader.feed(m_socket.read(ReplyReader::sliceBytes));
    }
}

Reply RespClient::run(const Command& command)
{
    write(command);
    return read();
}

std::vector<Reply> RespClient::runAll(const std::vector<Command>& commands)
{
    std::vector<Reply> replies;
    constexpr size_t chunk = 1000; // more in one go could fill both socket buffers and stall
    for (size_t from = 0; from < commands.size(); from += chunk) {
        const size_t to = std::min(from + chunk, commands.size());
        QByteArray bytes;
        for (size_t i = from; i < to; ++i)
            bytes += encode(commands[i]);
        if (m_socket.state() == QLocalSocket::ConnectedState)
            m_socket.write(bytes);
        for (size_t i = from; i < to; ++i)
            replies.push_back(read());
    }
    return replies;
}

Command parseCommand(const QByteArray& line)
{
    Command command;
    QByteArray word;
    bool inWord = false;
    bool quoted = false;
    for (const char c : line + ' ') {
        if (c == '"') {
            quoted = !quoted;
            inWord = true;
        } else if (c == ' ' && !quoted) {
            if (inWord)
                command << bytesFromDisplay(QString::fromUtf8(word));
            word.clear();
            inWord = false;
        } else {
            word += c;
            inWord = true;
        }
    }
    return command;
}

} // namespace lk::test
