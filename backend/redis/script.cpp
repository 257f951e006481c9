// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/script.h"

#include <QCryptographicHash>
#include <QFile>
#include <QPointer>

namespace lk {

namespace {

Command scriptCommand(const char* name, const QByteArray& script,
                      const std::vector<QByteArray>& keys, const std::vector<QByteArray>& args)
{
    std::vector<QByteArray> all;
    all.reserve(3 + keys.size() + args.size());
    all.emplace_back(name);
    all.push_back(script);
    all.push_back(QByteArray::number(qulonglong(keys.size())));
    all.insert(all.end(), keys.begin(), keys.end());
    all.insert(all.end(), args.begin(), args.end());
    return Command(std::move(all));
}

// Matches the server's own text, since a script may return an error of that name after it has run.
bool isUnknownScript(const Reply& reply)
{
    return reply.isError() && reply.text.startsWith("NOSCRIPT No matching script");
}

} // namespace

Script::Script(QByteArray source)
    : m_source(std::move(source))
    , m_sha(QCryptographicHash::hash(m_source, QCryptographicHash::Sha1).toHex())
{}

Result<Script> Script::fromResource(const QString& path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::FileError,
                       QStringLiteral("%1: %2").arg(path, file.errorString()));
    return Script(file.readAll());
}

Command Script::evalSha(const std::vector<QByteArray>& keys,
                        const std::vector<QByteArray>& args) const
{
    return scriptCommand("EVALSHA", m_sha, keys, args);
}

Command Script::eval(const std::vector<QByteArray>& keys, const std::vector<QByteArray>& args) const
{
    return scriptCommand("EVAL", m_source, keys, args);
}

void runScript(Link& connection, const Script& script, std::vector<QByteArray> keys,
               std::vector<QByteArray> args, QObject* context,
               std::function<void(Result<Reply>)> handler)
{
    const auto onlyReply = [](BatchResult result) -> Result<Reply> {
        if (!result)
            return tl::unexpected<Error>(result.error());
        return std::move(result->front());
    };
    Command whole = script.eval(keys, args);
    connection.sendActing({script.evalSha(keys, args)}, context,
                          [connection = QPointer(&connection), whole = std::move(whole), context,
                           onlyReply, handler = std::move(handler)](BatchResult result) {
                              if (!result || !isUnknownScript(result->front()) || !connection)
                                  return handler(onlyReply(std::move(result)));
                              connection->sendActing({whole}, context,
                                                     [onlyReply, handler](BatchResult second) {
                                                         handler(onlyReply(std::move(second)));
                                                     });
                          });
}

} // namespace lk
