// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QIODevice>

namespace lk {

/// A command's standard output. It is buffered and remembers whether all of it could be written.
/// Commands print through an object of this class.
class Output final : public QIODevice
{
public:
    /// file: a descriptor that stays open; standard output by default.
    explicit Output(int file = 1);
    ~Output() override;

    void print(const QString& text) { write(text.toUtf8()); }
    /// Writes the buffer. Returns false if a part could not be written, now or before.
    bool flush();
    bool failed() const { return m_error != 0; }
    /// True if the reader has exited, as "| head" does. That is no error to report.
    bool readerLeft() const;
    /// The reason of the failure and the remedy; translated, one sentence without full stop.
    QString problem() const;
    /// Ends a command: returns code, or reports a failed output on stderr and returns its exit
    /// code.
    int end(int code);

protected:
    qint64 readData(char*, qint64) override { return -1; }
    qint64 writeData(const char* data, qint64 size) override;

private:
    int m_file;
    int m_error = 0; ///< errno of the first failure
    QByteArray m_buffer;
};

/// Prints the text on standard error, as it is.
void tell(const QString& text);
/// Prints the text on standard error as a line of this program: "lockkeeper: ...".
void tellLine(const QString& text);

} // namespace lk
