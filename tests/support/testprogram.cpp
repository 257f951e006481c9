// SPDX-License-Identifier: GPL-3.0-or-later
// The main function of each test program.
//
// Usage: PROGRAM [-classes | CLASS] [QTEST ARGUMENTS...]
// Runs one class, named as its source is: tst_glob; unless one is named, each in turn, in a process
// of its own.
#include "tests/support/testprogram.h"

#include "backend/text/numbers/groupeddigits.h"

#include <QFileInfo>
#include <QProcess>

#include <cstdio>
#include <map>

namespace {

std::map<QByteArray, lk::test::TestEntry::Run>& entries()
{
    static std::map<QByteArray, lk::test::TestEntry::Run> all;
    return all;
}

int runEach(int argc, char** argv)
{
    const QCoreApplication app(argc, argv);
    const QStringList arguments = QCoreApplication::arguments().sliced(1);
    int failed = 0;
    for (const auto& [name, run] : entries()) {
        const int status = QProcess::execute(QCoreApplication::applicationFilePath(),
                                             QStringList{QString::fromLatin1(name)} + arguments);
        if (status != 0) {
            std::fprintf(stderr, "%s failed\n", name.constData());
            ++failed;
        }
    }
    return failed;
}

} // namespace

namespace lk::test {

TestEntry::TestEntry(const char* source, Run run)
{
    entries().emplace(QFileInfo(QString::fromUtf8(source)).completeBaseName().toLatin1(), run);
}

} // namespace lk::test

int main(int argc, char** argv)
{
    const QByteArray first = argc > 1 ? argv[1] : "";
    if (first == "-classes") {
        for (const auto& [name, run] : entries())
            std::puts(name.constData());
        return 0;
    }
    if (first.isEmpty() || first.startsWith('-'))
        return runEach(argc, argv);
    const auto entry = entries().find(first);
    if (entry == entries().end()) {
        std::fprintf(stderr, "Unknown test class %s; -classes lists all\n", first.constData());
        return 2;
    }
    lk::useGroupedDigits();
    argv[1] = argv[0];
    return entry->second(argc - 1, argv + 1);
}
