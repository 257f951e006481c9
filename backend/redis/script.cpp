// SPDX-License-Identifier: GPL-3.0-or-later
#include "backend/redis/script.h"

#include "backend/redis/replies.h"

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

bool isUnknownScript(const BatchResult& result)
{
    return result && result->front().isError() &&
           result->front().text.startsWith("NOSCRIPT No matching script");
}

Task<Result<Reply>> runScript(Link& connection, Script script, std::vector<QByteArray> keys,
                              std::vector<QByteArray> args, QObject* context)
{
    const QPointer<Link> there(&connection);
    BatchResult result = co_await actingReplies(connection, script.evalSha(keys, args), context);
    if (isUnknownScript(result) && there)
        result = co_await actingReplies(connection, script.eval(keys, args), context);
    if (!result)
        co_return tl::unexpected<Error>(result.error());
    co_return std::move(result->front());
}

} // namespace lk
