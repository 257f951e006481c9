// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

namespace lk::test {

/// Colours and clears a terminal, sets its title, turns the line around, begins another, hides, and
/// is no UTF-8.
inline const QByteArray hostile =
    "\x1b[31m\x1b[2J\x1b]0;pwned\x07\xc2\x9b\x31m\xe2\x80\xaegnp.exe\xe2\x81\xa6\xe2\x80\xa8next"
    "\xe2\x80\xa9\xe2\x80\x8b\xef\xbb\xbf\xc2\xadz\xcc\x81\xcc\x82\xcc\x83\xcc\x84\xcc\x85\xff\xc3";

/// The characters with an effect, each by its number, which must not reach the user. Line feeds and
/// tabs are allowed.
inline QStringList oddCharacters(const QString& text)
{
    QStringList found;
    for (const uint c : text.toUcs4()) {
        const QChar::Category category = QChar::category(c);
        const bool odd = c == 0xfffd // was no UTF-8
                         || (category == QChar::Other_Control && c != '\n' && c != '\t') ||
                         category == QChar::Other_Format || category == QChar::Separator_Line ||
                         category == QChar::Separator_Paragraph ||
                         category == QChar::Other_PrivateUse || category == QChar::Other_Surrogate;
        if (odd)
            found << QString::number(c, 16);
    }
    return found;
}

inline QStringList oddCharacters(const QByteArray& utf8)
{
    return oddCharacters(QString::fromUtf8(utf8));
}

/// Whatever INFO may say, all of it hostile, under the names that are read.
inline QByteArray hostileInfo()
{
    QByteArray info = "# Server\r\n";
    for (const char* field : {"redis_version",
                              "server_name",
                              "valkey_version",
                              "redis_mode",
                              "role",
                              "os",
                              "tcp_port",
                              "run_id",
                              "executable",
                              "config_file",
                              "master_host",
                              "master_port",
                              "master_link_status",
                              "maxmemory_policy",
                              "maxmemory",
                              "used_memory",
                              "connected_clients",
                              "blocked_clients",
                              "uptime_in_seconds",
                              "aof_enabled",
                              "rdb_last_bgsave_status",
                              "aof_last_write_status",
                              "rdb_last_save_time",
                              "loading",
                              "connected_slaves",
                              "slave0",
                              "mem_allocator",
                              "master_replid",
                              "total_commands_processed",
                              "instantaneous_ops_per_sec"})
        info += field + (':' + hostile) + "\r\n";
    return '$' + QByteArray::number(info.size()) + "\r\n" + info + "\r\n";
}

} // namespace lk::test
