// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIODevice>

namespace lk {

/// A command's standard output: buffered, and it remembers whether all of it could be written. What
/// a command prints goes through one of these.
class Output final : public QIODevice
{
public:
    /// file: a descriptor that stays open; that of standard output.
    explicit Output(int file = 1);
    ~Output() override;

    void print(const QString& text) { write(text.toUtf8()); }
    /// Hands on what is buffered. False: not all of it could be written, now or before.
    bool flush();
    bool failed() const { return m_error != 0; }
    /// Whoever read it has left, as "| head" does: there is nothing to say about that.
    bool readerLeft() const;
    /// Why it failed and what to do; translated, one sentence without full stop.
    QString problem() const;
    /// Ends a command: its own exit code, or that it failed, which is one line on stderr then.
    int end(int code);

protected:
    qint64 readData(char*, qint64) override { return -1; }
    qint64 writeData(const char* data, qint64 size) override;

private:
    int m_file;
    int m_error = 0; ///< errno of what failed first
    QByteArray m_buffer;
};

/// On standard error, as it is.
void tell(const QString& text);
/// The same as a line of this program's: "lockkeeper: ...".
void tellLine(const QString& text);

} // namespace lk
